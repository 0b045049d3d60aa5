import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fail, TerminalFailure } from "../domain/failure.ts";
import type { Faults } from "../faults.ts";
import { type ApplyIntent, type FileChange, type FileState, sameState } from "./apply-intent.ts";
import type { Owner } from "./checkout.ts";
import { errorCode } from "./error-code.ts";
import { copyBlob } from "./large-blob.ts";
import type { ObjectDatabase } from "./object-database.ts";
import type { UserTree } from "./user-tree.ts";

export interface Applied {
  /** Paths that this call changed. Paths that were already as wanted are not among them. */
  changed: string[];
}

/** One pass over an intent. Removals come first, then additions, so that a file and a directory can trade places. */
export class Execution {
  readonly #intent: ApplyIntent;
  readonly #tree: UserTree;
  readonly #objects: ObjectDatabase;
  readonly #faults: Faults;
  readonly #force: boolean;
  readonly #touched = new Set<string>();
  readonly #changed: string[] = [];

  constructor(intent: ApplyIntent, tree: UserTree, objects: ObjectDatabase, faults: Faults, force = false) {
    this.#intent = intent;
    this.#tree = tree;
    this.#objects = objects;
    this.#faults = faults;
    this.#force = force;
  }

  /** Paths that it has changed so far. */
  get changed(): readonly string[] {
    return this.#changed;
  }

  async run(): Promise<Applied> {
    const { changes, goneDirectories, newDirectories } = this.#intent;
    for (const change of changes) if (change.after === null) await this.#guard(change, () => this.#delete(change));
    for (const path of goneDirectories) this.#removeDirectory(path);
    for (const path of newDirectories) this.#makeDirectory(path);
    for (const change of changes) {
      const { after } = change;
      if (after !== null) await this.#guard(change, () => this.#put(change, after));
    }
    for (const path of this.#touched) flushDirectory(path);
    return { changed: this.#changed };
  }

  #delete({ path, before }: FileChange): void {
    const now = this.#tree.standing(path);
    if (now.what !== "file") return;
    if (!this.#force && !sameState(now.state, before)) throw this.#changedNow(path);
    this.#rename(path, () => unlinkSync(this.#tree.at(path)));
  }

  async #put({ path, before }: FileChange, after: FileState): Promise<void> {
    const now = this.#tree.standing(path);
    const state = now.what === "file" ? now.state : null;
    if (state && sameState(state, after)) return;
    const expected =
      now.what === "nothing" ? before === null || this.#force : state && (this.#force || sameState(state, before));
    if (!expected) throw this.#changedNow(path);
    if (state?.kind === "file" && after.kind === "file" && state.id === after.id) {
      this.#rename(path, () => setPermissions(this.#tree.at(path), after.permissions));
      return;
    }
    this.#makeDirectory(dirname(path));
    const owner = this.#ownerAt(path);
    const temporary = temporaryPath(this.#tree, this.#intent, path);
    if (after.kind === "link") {
      symlinkSync(this.#objects.readAs("blob", after.id), temporary);
      if (owner) lchownSync(temporary, owner.uid, owner.gid);
    } else {
      await this.#writeTemporary(temporary, after, owner);
    }
    this.#rename(path, () => renameSync(temporary, this.#tree.at(path)));
  }

  async #writeTemporary(temporary: string, after: FileState, owner: Owner | null): Promise<void> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const file = openSync(temporary, flags, 0o600);
    try {
      await copyBlob(this.#objects, after.id, file);
      if (owner) fchownSync(file, owner.uid, owner.gid);
      fchmodSync(file, after.permissions);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  /** The only moment at which one of the user's paths changes. */
  #rename(path: string, change: () => void): void {
    this.#faults.reach("apply:rename");
    change();
    this.#faults.reach("apply:rename");
    this.#touched.add(dirname(this.#tree.at(path)));
    this.#changed.push(path);
  }

  #makeDirectory(path: string): void {
    if (path === "." || path === "") return;
    const now = this.#tree.standing(path);
    if (now.what === "directory") return;
    if (now.what !== "nothing") throw this.#changedNow(path);
    this.#makeDirectory(dirname(path));
    const absolute = this.#tree.at(path);
    mkdirSync(absolute);
    const owner = this.#ownerAt(path);
    if (owner) lchownSync(absolute, owner.uid, owner.gid);
    this.#touched.add(dirname(absolute));
  }

  /** Removes a directory only if it is empty: what a person or a tool has put there stays. */
  #removeDirectory(path: string): void {
    if (this.#tree.standing(path).what !== "directory") return;
    const absolute = this.#tree.at(path);
    try {
      rmdirSync(absolute);
      this.#touched.add(dirname(absolute));
    } catch (error) {
      const code = errorCode(error);
      if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "EBUSY") throw error;
    }
  }

  /** When we run as root, a file keeps its owner, and a new file gets the owner of its directory. */
  #ownerAt(path: string): Owner | null {
    if (process.getuid?.() !== 0) return null;
    const absolute = this.#tree.at(path);
    const existing = lstatSync(absolute, { throwIfNoEntry: false });
    const { uid, gid } = existing && !existing.isDirectory() ? existing : lstatSync(dirname(absolute));
    return { uid, gid };
  }

  async #guard({ path }: FileChange, change: () => void | Promise<void>): Promise<void> {
    try {
      await change();
    } catch (cause) {
      if (cause instanceof TerminalFailure) throw cause;
      const message = `${join(this.#tree.root, path)} cannot be written (${errorCode(cause) ?? String(cause)}): mend that and go on, or undo`;
      throw fail("environment", "apply.unwritable", message, { cause });
    }
  }

  #changedNow(path: string): TerminalFailure {
    const done =
      this.#changed.length === 0
        ? "nothing was written"
        : `${this.#changed.length} files that were written before it are taken back`;
    return fail(
      "policy",
      "apply.conflict",
      `${join(this.#tree.root, path)} was changed by somebody else just now; ${done}`,
      { detail: path },
    );
  }
}

/** The name depends only on the intent, so whoever completes or undoes it finds what a crash left. */
function temporaryPath(tree: UserTree, intent: ApplyIntent, path: string): string {
  const ids = [intent.base, intent.result].sort().join();
  const digest = createHash("sha256")
    .update(`${ids}\0${basename(path)}`)
    .digest("hex")
    .slice(0, 16);
  return join(dirname(tree.at(path)), `.miracle-apply-${digest}.tmp`);
}

/** Runs first: a file that a crash left would look like a person's file. */
export function removeTemporaries(tree: UserTree, intent: ApplyIntent): void {
  for (const { path } of intent.changes) {
    if (tree.isBlocked(path)) continue;
    try {
      unlinkSync(temporaryPath(tree, intent, path));
    } catch (error) {
      const code = errorCode(error);
      if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    }
  }
}

function setPermissions(path: string, permissions: number): void {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    fchmodSync(file, permissions);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * A rename is durable once its directory is flushed. Not every file system allows this, and then nothing can be done.
 */
function flushDirectory(path: string): void {
  try {
    const directory = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(directory);
    } finally {
      closeSync(directory);
    }
  } catch {
    // Also reached if the directory was removed after a file in it.
  }
}
