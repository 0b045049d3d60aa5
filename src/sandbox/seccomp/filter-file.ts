import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { unavailable } from "../explain.ts";
import { ARCHITECTURES } from "./syscall-numbers.ts";

/**
 * The shipped filter for this machine. Fails closed: without a filter the kernel's whole surface would be open to untrusted
 * code, so an architecture that has none does not get this sandbox.
 */
export function filterFile(architecture: string = process.arch): string {
  const name = ARCHITECTURES.find((known) => known === architecture);
  if (name === undefined) {
    const message = `bubblewrap needs a filter of system calls, and Miracle has none for ${architecture} (only for ${ARCHITECTURES.join(" and ")}): use such a machine, or run without isolation with --sandbox process (untrusted code then runs as you)`;
    throw unavailable(message);
  }
  const path = shipped(join("config", "seccomp", `${name}.bpf`));
  if (path === undefined) {
    throw unavailable(`the filter of system calls config/seccomp/${name}.bpf is missing: install Miracle again`);
  }
  return path;
}

/** The same from a source file, from a bundle and from an installed package. */
function shipped(path: string): string | undefined {
  for (let directory = import.meta.dirname; ; directory = dirname(directory)) {
    const candidate = join(directory, path);
    if (existsSync(candidate)) return candidate;
    if (existsSync(join(directory, "package.json")) || dirname(directory) === directory) return undefined;
  }
}
