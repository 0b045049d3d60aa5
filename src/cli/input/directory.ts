import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fail } from "../../domain/failure.ts";

/** The directory a command works in: `--dir`, or where it was called. */
export function workingDirectory(called: string, dir: string | undefined): string {
  const directory = resolve(called, dir ?? ".");
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return directory;
  throw fail("invalid-input", "directory.missing", `--dir ${dir ?? directory}: there is no such directory`);
}
