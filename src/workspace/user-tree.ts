import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../domain/failure.ts";
import { type ApplyIntent, type FileChange, type FileState, sameState } from "./apply-intent.ts";
import { errorCode } from "./error-code.ts";
import { objectId } from "./git-objects.ts";
import { hashOpenFile } from "./large-blob.ts";
import { isDotGit } from "./left-out.ts";

/** What stands at a path of the user's directory now. `blocked`: something on the way is no directory. */
export type PathState =
  | { what: "nothing" }
  | { what: "file"; state: FileState }
  | { what: "directory" }
  | { what: "other" }
  | { what: "blocked"; by: string };

/** The user's directory, read without following any link in it. */
export class UserTree {
  readonly root: string;

  constructor(directory: string) {
    try {
      this.root = realpathSync(directory);
    } catch (cause) {
      throw fail("environment", "apply.directory", `${directory} is not there any more: put it back and try again`, {
        cause,
      });
    }
  }

  at(path: string): string {
    const names = path.split("/");
    if (names.some((name) => name === "" || name === "." || name === ".." || isDotGit(name))) {
      throw fail("policy", "scope.outside", `${JSON.stringify(path)} is no path that a result may have`);
    }
    return join(this.root, path);
  }

  standing(path: string): PathState {
    const absolute = this.at(path);
    const blocker = this.#blocker(path);
    if (blocker !== null) return { what: "blocked", by: blocker };
    const stats = lstatSync(absolute, { throwIfNoEntry: false });
    if (!stats) return { what: "nothing" };
    if (stats.isDirectory()) return { what: "directory" };
    if (stats.isSymbolicLink()) {
      const id = objectId("blob", readlinkSync(absolute, { encoding: "buffer" }));
      return { what: "file", state: { kind: "link", id, permissions: 0o777 } };
    }
    if (!stats.isFile()) return { what: "other" };
    return fileStanding(absolute);
  }

  /** True if something on the way to it is no directory. */
  isBlocked(path: string): boolean {
    return this.#blocker(path) !== null;
  }

  /** Paths that are neither in the state before nor in the state after: a person changed them meanwhile. */
  conflicts(intent: ApplyIntent): string[] {
    const changes = new Map(intent.changes.map((change) => [change.path, change]));
    const known = { changes, gone: new Set(intent.goneDirectories), made: new Set(intent.newDirectories) };
    return intent.changes.filter((change) => !this.#fits(change, known)).map(({ path }) => path);
  }

  #fits(change: FileChange, known: Known): boolean {
    const now = this.standing(change.path);
    switch (now.what) {
      case "file":
        return sameState(now.state, change.before) || sameState(now.state, change.after);
      case "nothing":
        return change.before === null || change.after === null;
      case "blocked":
        // A file or link on the way that is itself part of the change is handled in its own turn.
        return known.changes.has(now.by) && (change.before === null || change.after === null);
      case "directory":
        if (known.made.has(change.path)) return change.after === null;
        return known.gone.has(change.path) && change.before === null && this.#emptiesOut(change.path, known);
      case "other":
        return false;
    }
  }

  /** True if the directory holds nothing but what the change removes. */
  #emptiesOut(path: string, known: Known): boolean {
    return readdirSync(join(this.root, path), { withFileTypes: true }).every((entry) => {
      const below = `${path}/${entry.name}`;
      if (entry.isDirectory()) return known.gone.has(below) && this.#emptiesOut(below, known);
      return known.changes.get(below)?.after === null;
    });
  }

  #blocker(path: string): string | null {
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
      const parent = path.slice(0, at);
      try {
        const stats = lstatSync(join(this.root, parent), { throwIfNoEntry: false });
        if (!stats) return null;
        if (!stats.isDirectory()) return parent;
      } catch (error) {
        if (errorCode(error) !== "ENOTDIR") throw error;
        return parent;
      }
    }
    return null;
  }
}

/** A file that the person has closed against us is none that we may replace. */
function fileStanding(absolute: string): PathState {
  let file: number;
  try {
    file = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) !== "EACCES") throw error;
    return { what: "other" };
  }
  try {
    const { size, mode } = fstatSync(file);
    return { what: "file", state: { kind: "file", id: hashOpenFile(file, size), permissions: mode & 0o777 } };
  } finally {
    closeSync(file);
  }
}

interface Known {
  changes: Map<string, FileChange>;
  gone: Set<string>;
  made: Set<string>;
}
