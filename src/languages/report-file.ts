import { createHash } from "node:crypto";
import { WORKSPACE } from "../sandbox/sandbox.ts";

/** Each set of files gets its own name, so that two runs in one workspace do not write to the same report. */
export function reportFileFor(files: string[]): { name: string; path: string } {
  const name = `.miracle-report-${createHash("sha256").update(files.join("\0")).digest("hex").slice(0, 8)}`;
  return { name, path: `${WORKSPACE}/${name}` };
}

/** A file name is never an option, whatever it starts with. */
export const asArgument = (file: string) => (file.startsWith("-") ? `./${file}` : file);
