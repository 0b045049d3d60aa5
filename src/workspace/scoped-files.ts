import { randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fail } from "../domain/failure.ts";
import type { FileScope } from "../domain/settings/safety-settings.ts";
import { answering } from "./answering.ts";
import type { Owner } from "./checkout.ts";
import { errorCode } from "./error-code.ts";
import { binary, type FileWindow, readWindow } from "./file-window.ts";
import { objectId } from "./git-objects.ts";
import { isSecretContent, isSuspectName } from "./left-out.ts";
import { type Place, Scope } from "./scope.ts";
import { type SearchOptions, searchFiles } from "./search-files.ts";
import { replaceOnce } from "./text-edit.ts";
import { walkFiles } from "./walk-files.ts";

export interface ScopedFilesOptions {
  /** Globs that may be written, `!glob` to deny. Empty: the whole workspace. */
  writeScope?: string[];
  /** Further scopes, of the role and of the todo. Each must allow a read or a write. */
  scopes?: FileScope[];
  /** Paths and globs that may not be written: the given tests. */
  locked?: string[];
  /** The owner of new files, if it is not this process. */
  owner?: Owner | null;
  /** The name under which commands see the workspace. */
  shownAs?: string;
}

/** Git blob ids of a file's content; null: there was no file. */
export interface Written {
  path: string;
  before: string | null;
  after: string;
}

const MOST_LISTED = 500;
const DEFAULT_DEPTH = 5;
const MOST_WRITTEN = 10 << 20;

/**
 * The agent's file tools on a checkout. Paths are relative. Nothing outside is read or written, whatever links lie
 * inside. A refused request is a TerminalFailure with a message that the model can act on.
 */
export class ScopedFiles {
  readonly #scope: Scope;
  readonly #owner: Owner | null;

  constructor(directory: string, options: ScopedFilesOptions = {}) {
    const { writeScope = [], scopes = [], locked = [], owner = null, shownAs = "/workspace" } = options;
    const read = scopes.map((scope) => scope.read);
    const write = [writeScope, ...scopes.map((scope) => scope.write)];
    this.#scope = new Scope(directory, { read, write, locked, shownAs });
    this.#owner = owner;
  }

  /** Lines of a text file, at most 2,000 lines or 64 kB at once, however large the file is. */
  async read(
    path: string,
    window: { fromLine?: number | undefined; lines?: number | undefined } = {},
  ): Promise<FileWindow> {
    const { fromLine, lines } = window;
    const asked = { ...(fromLine && { fromLine }), ...(lines && { lines }) };
    return answering(path, () => this.#withFile(path, (file) => readWindow(file, path, asked)));
  }

  /** Whether it can be listed. A path that is missing or hidden cannot. */
  isDirectory(path: string): boolean {
    try {
      const place = this.#scope.forListing(path);
      return place.exists && lstatSync(place.absolute).isDirectory();
    } catch {
      return false;
    }
  }

  /** Paths below a directory, sorted; directories end in a slash. At most 500. */
  async list(path = ".", options: { depth?: number | undefined } = {}): Promise<string[]> {
    return answering(path, () => this.#list(path, options.depth ?? DEFAULT_DEPTH));
  }

  #list(path: string, depth: number): string[] {
    const place = this.#scope.forListing(path);
    const stats = place.exists ? lstatSync(place.absolute) : null;
    if (!stats?.isDirectory()) throw fail("invalid-input", "file.missing", `${path} is no directory of the workspace`);
    const prefix = place.path === "" ? "" : `${place.path}/`;
    const shows = (found: string) => this.#scope.mayRead(found);
    const found = [...walkFiles(place.absolute, prefix, { depth, limit: MOST_LISTED + 1, directories: true, shows })];
    return found.length > MOST_LISTED
      ? [...found.slice(0, MOST_LISTED), "[more files: list a directory of these]"]
      : found;
  }

  /** Writes a whole file, and makes its directories as needed. */
  async create(path: string, content: string, options: { overwrite?: boolean | undefined } = {}): Promise<Written> {
    return answering(path, () => this.#create(path, content, options.overwrite === true));
  }

  #create(path: string, content: string, overwrite: boolean): Written {
    const place = this.#scope.forWriting(path);
    if (place.exists && !overwrite) {
      throw fail("invalid-input", "file.exists", `${path} exists: edit it, or create it with overwrite`);
    }
    const before = place.exists ? this.#contentOf(path) : null;
    return this.#write(place, before, Buffer.from(content.toWellFormed(), "utf8"));
  }

  /** Replaces one exact and unique piece of a text file; line ends of the file are kept. */
  async edit(path: string, oldText: string, newText: string): Promise<Written> {
    return answering(path, () => this.#edit(path, oldText, newText));
  }

  #edit(path: string, oldText: string, newText: string): Written {
    const place = this.#scope.forWriting(path);
    const before = this.#contentOf(path);
    const text = before.toString("utf8");
    if (before.subarray(0, 8000).includes(0)) throw binary(path, before.length);
    if (!Buffer.from(text, "utf8").equals(before)) {
      throw fail("invalid-input", "file.encoding", `${path} is no UTF-8 text: change it with a command`);
    }
    const edited = replaceOnce(path, text, oldText.toWellFormed(), newText.toWellFormed());
    return this.#write(place, before, Buffer.from(edited, "utf8"));
  }

  /** Takes a file away; never a directory. The tree before keeps it, so undoing the work brings it back. */
  async delete(path: string): Promise<void> {
    return answering(path, () => {
      const place = this.#scope.forWriting(path);
      const stats = place.exists ? lstatSync(place.absolute) : null;
      if (!stats) throw fail("invalid-input", "file.missing", `${path} does not exist`);
      if (stats.isDirectory())
        throw fail("invalid-input", "file.directory", `${path} is a directory: delete its files`);
      unlinkSync(place.absolute);
    });
  }

  /** `path:line: text` for each match: plain text unless `regex` is set. At most 100, and 2 seconds. */
  async search(pattern: string, options: SearchOptions = {}): Promise<string[]> {
    const shows = (found: string) => this.#scope.mayRead(found);
    const paths = [...walkFiles(this.#scope.root, "", { depth: 64, limit: 100_000, directories: false, shows })];
    return searchFiles(this.#scope.root, paths, pattern, options);
  }

  #contentOf(path: string): Buffer {
    return this.#withFile(path, (file) => {
      const { size } = fstatSync(file);
      if (size > MOST_WRITTEN)
        throw fail("invalid-input", "file.large", `${path} has ${size} bytes: too large to edit`);
      return readFileSync(file);
    });
  }

  #withFile<Result>(path: string, use: (file: number) => Result): Result {
    const place = this.#scope.forReading(path);
    if (!place.exists) throw fail("invalid-input", "file.missing", `${path} does not exist`);
    // Non-blocking: a pipe that somebody left here must not block us.
    const file = openSync(place.absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(file);
      if (stats.isDirectory()) throw fail("invalid-input", "file.directory", `${path} is a directory: list it`);
      if (!stats.isFile()) throw fail("invalid-input", "file.special", `${path} is no regular file`);
      checkOpened(file, place, path);
      if (isSuspectName(basename(place.absolute)) && isSecretContent(readFileSync(place.absolute))) {
        throw fail("policy", "scope.secret", `${path} holds a key or token: these are never read`);
      }
      return use(file);
    } finally {
      closeSync(file);
    }
  }

  #write(place: Place, before: Buffer | null, content: Buffer): Written {
    const { path } = place;
    if (content.length > MOST_WRITTEN)
      throw fail("invalid-input", "file.large", `${path}: more than 10 MB cannot be written at once`);
    if (isSuspectName(path.slice(path.lastIndexOf("/") + 1)) && isSecretContent(content)) {
      throw fail("policy", "scope.secret", `${path} would hold a key or token: these are never written`);
    }
    const stats = place.exists ? lstatSync(place.absolute) : null;
    this.#makeDirectories(dirname(place.absolute));
    // A new file replaces the old one, so that nothing is written through a link or a hard link.
    const temporary = join(dirname(place.absolute), `.miracle-${randomBytes(6).toString("hex")}.tmp`);
    const file = openSync(
      temporary,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      checkOpened(file, { ...place, absolute: temporary }, path);
      writeFileSync(file, content);
      fchmodSync(file, stats ? stats.mode & 0o777 : 0o644);
      if (this.#owner) fchownSync(file, this.#owner.uid, this.#owner.gid);
      renameSync(temporary, place.absolute);
    } catch (error) {
      unlinkSync(temporary);
      throw error;
    } finally {
      closeSync(file);
    }
    return { path, before: before && objectId("blob", before), after: objectId("blob", content) };
  }

  #makeDirectories(directory: string): void {
    if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
    this.#makeDirectories(dirname(directory));
    try {
      mkdirSync(directory, { mode: 0o755 });
    } catch (cause) {
      if (errorCode(cause) !== "EEXIST" && errorCode(cause) !== "ENOTDIR") throw cause;
      throw fail(
        "invalid-input",
        "file.missing",
        `${directory.slice(this.#scope.root.length + 1)} is a file, not a directory`,
        { cause },
      );
    }
    if (this.#owner) chownSync(directory, this.#owner.uid, this.#owner.gid);
  }
}

/**
 * A link may have appeared between the check and the opening. Where possible, the system tells what was really opened.
 */
function checkOpened(file: number, place: Place, path: string): void {
  let opened: string;
  try {
    opened = readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    return;
  }
  if (opened !== place.absolute) throw fail("policy", "scope.outside", `${path} changed its place while it was opened`);
}
