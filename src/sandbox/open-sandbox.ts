import { existsSync } from "node:fs";
import type { SandboxBackend } from "../domain/settings/settings.ts";
import { Bubblewrap } from "./bubblewrap.ts";
import { Docker } from "./docker/docker.ts";
import { findEngine, type HostVariables } from "./docker/find-engine.ts";
import { noBubblewrap, notLinux } from "./explain.ts";
import { NetworkedSandbox } from "./network/networked-sandbox.ts";
import { NoSandbox } from "./no-sandbox.ts";
import type { PackagePlaces } from "./packages/package-places.ts";
import type { Sandbox } from "./sandbox.ts";
import { openSeatbelt } from "./seatbelt.ts";

export interface SandboxChoice {
  backend: SandboxBackend;
  /** For containers. Without an image they show the host's system. */
  image?: string | undefined;
  /** Where downloaded packages are kept. Without it each install downloads its own. */
  packages?: PackagePlaces | undefined;
}

const PROGRAMS = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap", "/run/current-system/sw/bin/bwrap"];

/**
 * Opens the sandbox of this backend. Fails closed: a known lack throws here, and a lack that only shows in use throws
 * at the first command. No process is started before that.
 */
export function openSandbox({ backend, image, packages }: SandboxChoice, env: HostVariables = process.env): Sandbox {
  switch (backend) {
    case "process":
      return new NoSandbox();
    case "seatbelt":
      return openSeatbelt();
    case "docker":
      return new NetworkedSandbox(new Docker(findEngine(env), image ?? null), packages);
    case "bubblewrap":
      return new NetworkedSandbox(openBubblewrap(), packages);
  }
}

export function openBubblewrap(programs: string[] = PROGRAMS): Bubblewrap {
  if (process.platform !== "linux") throw notLinux(process.platform);
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) throw noBubblewrap();
  return new Bubblewrap(program);
}
