import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../domain/failure.ts";
import { type Command, WORKSPACE } from "./sandbox.ts";

/** The host directory in which a command starts. It must be in the workspace, even after its links are followed. */
export function checkWorkingDirectory(command: Command): string {
  const refused = () =>
    fail(
      "invalid-input",
      "sandbox.directory",
      `there is no directory ${join(WORKSPACE, command.cwd ?? ".")} to run in`,
    );
  let root: string;
  let directory: string;
  try {
    root = realpathSync(command.workspace);
    // The trailing slash makes it fail for anything but a directory.
    directory = realpathSync(`${join(command.workspace, command.cwd ?? ".")}/`);
  } catch (error) {
    throw Object.assign(refused(), { cause: error });
  }
  if (directory !== root && !directory.startsWith(`${root}/`)) throw refused();
  return directory;
}
