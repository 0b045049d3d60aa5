import { lstatSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fail } from "../domain/failure.ts";
import { errorCode } from "./error-code.ts";
import { matchesAny, matchesGlob } from "./glob.ts";
import { isDotGit, isSecretPath, isSecretPlace, isStorablePath } from "./left-out.ts";

/** A little below the system's limit, so that another name beside it fits, too. */
const LONGEST_PATH = 4000;

export interface ScopeRules {
  /**
   * Each list must allow a path. A list holds globs; `!glob` denies and wins. An empty list allows the whole workspace.
   */
  read: string[][];
  write: string[][];
  /** Paths and globs that nobody may write: the given tests. */
  locked: string[];
  /** The name under which commands see the workspace. Paths below it count as paths of the workspace. */
  shownAs: string;
}

/** A fully resolved path: it contains no link and lies in the workspace. */
export interface Place {
  /** The requested path, normalised: `a/b`; empty for the workspace itself. */
  path: string;
  absolute: string;
  exists: boolean;
}

/**
 * Decides which paths of a workspace may be touched. Invariant: every place it returns lies inside, whatever links
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
    const place = this.forListing(path);
    for (const name of this.#names(place)) if (name !== "") this.#checkRead(name, path);
    return place;
  }

  /** A directory may be listed although not all of it may be read. Each entry is checked on its own. */
  forListing(path: string): Place {
    const place = this.#resolve(path);
    for (const name of this.#names(place)) {
      if (name.split("/").some(isDotGit)) throw outside(path, "git's own files are not part of the workspace");
      if (isSecretPlace(name))
        throw fail("policy", "scope.secret", `${path} is the name of a secret: these are never read`);
    }
    return place;
  }

  forWriting(path: string): Place {
    const place = this.forReading(path);
    if (place.path === "") throw outside(path, "this is the workspace itself: name a file in it");
    for (const name of this.#names(place)) this.#checkWrite(name);
    return place;
  }

  /** Whether this path may be read, wherever it was found. */
  mayRead(path: string): boolean {
    return !isSecretPlace(path) && this.#rules.read.every((globs) => isInScope(globs, path));
  }

  mayWrite(path: string): boolean {
    return this.#rules.write.every((globs) => isInScope(globs, path));
  }

  /** The requested path and the real one: a link inside may lead to something that is protected under its real name. */
  #names({ path, absolute }: Place): Set<string> {
    return new Set([path, relative(this.root, absolute).split(sep).join("/")]);
  }

  #checkRead(path: string, asked: string): void {
    if (!this.mayRead(path)) throw fail("policy", "scope.denied", `${asked} is outside what may be read here`);
  }

  #checkWrite(path: string): void {
    if (isSecretPath(path))
      throw fail("policy", "scope.secret", `${path} is the name of a secret file: these are never written`);
    if (!isStorablePath(path))
      throw fail("policy", "scope.outside", `${path} would not be part of the result: choose another path`);
    const { locked, write } = this.#rules;
    if (locked.some((name) => name === path || matchesGlob(name, path) || path.startsWith(`${name}/`))) {
      throw fail("policy", "scope.locked", `${path} is given and may not be changed: change the code it tests`);
    }
    if (!this.mayWrite(path)) {
      throw fail("policy", "scope.denied", `${path} is outside the write scope (${write.flat().join(", ")})`);
    }
  }

  #resolve(asked: string): Place {
    const names = this.#parts(asked);
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

  #parts(asked: string): string[] {
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

/**
 * A denial covers every spelling that some file system treats as the same path. A permission covers the exact spelling
 * only.
 */
export function isInScope(globs: string[], path: string): boolean {
  const denied = globs.filter((glob) => glob.startsWith("!")).map((glob) => spelling(glob.slice(1)));
  if (denied.length > 0 && matchesAny(denied, spelling(path))) return false;
  const allowed = globs.filter((glob) => !glob.startsWith("!"));
  return allowed.length === 0 || matchesAny(allowed, path);
}

const spelling = (path: string): string => path.normalize("NFC").toLowerCase();

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
