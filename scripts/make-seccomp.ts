// Writes the filters of system calls that are shipped, one for each architecture, from the policy in src/sandbox/seccomp/.
import { mkdirSync, writeFileSync } from "node:fs";
import { ARCHITECTURES } from "../src/sandbox/seccomp/syscall-numbers.ts";
import { compilePolicy } from "./seccomp/compile-policy.ts";

const directory = new URL("../config/seccomp/", import.meta.url);
mkdirSync(directory, { recursive: true });
for (const architecture of ARCHITECTURES) {
  const bytes = compilePolicy(architecture);
  writeFileSync(new URL(`${architecture}.bpf`, directory), bytes);
  process.stdout.write(`config/seccomp/${architecture}.bpf: ${bytes.length} bytes\n`);
}
