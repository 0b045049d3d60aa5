import { existsSync } from "node:fs";
import type { SandboxBackend } from "../domain/settings.ts";
import { Bubblewrap } from "./bubblewrap.ts";
import { noBubblewrap, notLinux } from "./explain.ts";
import { NetworkedSandbox } from "./network/networked-sandbox.ts";
import { NoSandbox } from "./none.ts";
import type { Sandbox } from "./sandbox.ts";

const PROGRAMS = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap", "/run/current-system/sw/bin/bwrap"];

/**
 * The sandbox of this backend. Fails closed: what is known to be missing throws here, and what only shows when it is
 * used throws at the first command. No process is started before that.
 */
export function openSandbox(backend: SandboxBackend): Sandbox {
  return backend === "none" ? new NoSandbox() : new NetworkedSandbox(openBubblewrap());
}

export function openBubblewrap(programs: string[] = PROGRAMS): Bubblewrap {
  if (process.platform !== "linux") throw notLinux(process.platform);
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) throw noBubblewrap();
  return new Bubblewrap(program);
}
