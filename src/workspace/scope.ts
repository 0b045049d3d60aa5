import { lstatSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fail } from "../domain/failure.ts";
import { errorCode } from "./error-code.ts";
import { matchesAny, matchesGlob } from "./glob.ts";
import { isDotGit, isSecretPath, isStorablePath } from "./left-out.ts";

/** A little below what the system allows, so that a name beside it fits, too. */
const LONGEST_PATH = 4000;

export interface ScopeRules {
  /** Globs that may be written; `!glob` denies and wins; none: everything in the workspace. */
  writeScope: string[];
  /** Paths and globs that nobody may write: the given tests. */
  locked: string[];
  /** The name under which commands see the workspace; paths below it are taken as the workspace's. */
  shownAs: string;
}

/** A path that was resolved to the end: no link is left in it, and it lies in the workspace. */
export interface Place {
  /** As asked for, tidied: `a/b`; empty for the workspace itself. */
  path: string;
  absolute: string;
  exists: boolean;
}

/**
 * Which paths of a workspace may be touched. Invariant: every place it answers with lies inside, whatever links
 * untrusted code has left there.
 */
export class Scope {
  readonly root: string;
  readonly #rules: ScopeRules;

  constructor(directory: string, rules: ScopeRules) {
    this.root = realpathSync(directory);
    this.#rules = rules;
  }

  forReading(path: string): Place {
    const place = this.#resolve(path);
    if (place.path.split("/").some(isDotGit)) throw outside(path, "git's own files are not part of the workspace");
    return place;
  }

  forWriting(path: string): Place {
    const place = this.forReading(path);
    if (place.path === "") throw outside(path, "this is the workspace itself: name a file in it");
    // A link inside may lead to what is protected under its real name.
    for (const name of new Set([place.path, relative(this.root, place.absolute).split(sep).join("/")]))
      this.#checkWrite(name);
    return place;
  }

  #checkWrite(path: string): void {
    if (isSecretPath(path))
      throw fail("policy", "scope.secret", `${path} is the name of a secret file: these are never written`);
    if (!isStorablePath(path))
      throw fail("policy", "scope.outside", `${path} would not be part of the result: choose another path`);
    const { locked, writeScope } = this.#rules;
    if (locked.some((name) => name === path || matchesGlob(name, path) || path.startsWith(`${name}/`))) {
      throw fail("policy", "scope.locked", `${path} is given and may not be changed: change the code it tests`);
    }
    const denied = writeScope.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
    const allowed = writeScope.filter((glob) => !glob.startsWith("!"));
    if (matchesAny(denied, path) || (allowed.length > 0 && !matchesAny(allowed, path))) {
      throw fail("policy", "scope.denied", `${path} is outside the write scope (${writeScope.join(", ")})`);
    }
  }

  #resolve(asked: string): Place {
    const names = this.#names(asked);
    let absolute = this.root;
    for (const [index, name] of names.entries()) {
      const next = join(absolute, name);
      const stats = lstat(next, asked);
      if (!stats) {
        return { path: names.join("/"), absolute: join(absolute, ...names.slice(index)), exists: false };
      }
      absolute = stats.isSymbolicLink() ? this.#follow(next, asked) : next;
    }
    return { path: names.join("/"), absolute, exists: true };
  }

  #names(asked: string): string[] {
    const { shownAs } = this.#rules;
    let path = asked.trim() === asked ? asked : asked.trim();
    if (path === shownAs) path = ".";
    else if (path.startsWith(`${shownAs}/`)) path = path.slice(shownAs.length + 1);
    if (path.startsWith("/") || path.startsWith("~")) throw outside(asked, "give a path relative to the workspace");
    if (path.includes("\0")) throw outside(asked, "a path has no NUL");
    const names = path.split("/").filter((name) => name !== "" && name !== ".");
    if (this.root.length + Buffer.byteLength(path) > LONGEST_PATH) throw tooLong();
    if (names.includes("..")) throw outside(asked, "a path may not go up with ..");
    return names;
  }

  #follow(link: string, asked: string): string {
    let real: string;
    try {
      real = realpathSync(link);
    } catch (cause) {
      throw fail("policy", "scope.outside", `${asked} passes a link that leads nowhere`, { cause });
    }
    if (real === this.root || real.startsWith(`${this.root}/`)) return real;
    throw outside(asked, "it passes a link that leads out of the workspace");
  }
}

function lstat(path: string, asked: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    const code = errorCode(cause);
    if (code === "ENOTDIR")
      throw fail("invalid-input", "file.missing", `${asked} is below a file, not a directory`, { cause });
    if (code === "ENAMETOOLONG") throw tooLong(cause);
    throw cause;
  }
}

const tooLong = (cause?: unknown) => fail("invalid-input", "file.name", "the path is too long", { cause });

const outside = (path: string, why: string) =>
  fail("policy", "scope.outside", `${JSON.stringify(path.slice(0, 200))} is refused: ${why}`);
