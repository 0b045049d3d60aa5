import { existsSync } from "node:fs";
import { seatbeltNotHere } from "./explain.ts";
import { type Confinement, NoSandbox } from "./no-sandbox.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";

const PROGRAM = "/usr/bin/sandbox-exec";

/**
 * macOS: each command runs within a profile of the kernel's. Not seen on hardware: written against the conformance suite,
 * and run there only with a stand-in for `sandbox-exec`. It limits files and network, and neither memory, processes nor
 * disk.
 */
export function openSeatbelt(platform: string = process.platform, program = PROGRAM): NoSandbox {
  if (platform !== "darwin" || !existsSync(program)) throw seatbeltNotHere(platform);
  return new NoSandbox(seatbelt(program));
}

export const seatbelt = (program: string): Confinement => ({
  backend: "seatbelt",
  wrap: (argv, places) => [program, "-p", seatbeltProfile(places), ...argv],
});
