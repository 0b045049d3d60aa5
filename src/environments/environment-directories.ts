import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readJson } from "../domain/json.ts";
import { removeTree } from "../workspace/remove-tree.ts";
import { EnvironmentRecord } from "./environment.ts";

/** An environment that nothing used for this long is removed when another one is built. */
const UNUSED_MS = 30 * 24 * 3_600_000;
/** Nobody builds for this long. */
const ABANDONED_MS = 3_600_000;
/** So long nobody tries again what could not be had. */
const FAILED_MS = 600_000;

const RECORD = "environment.json";
const NAME = /^(python|javascript|go)-[0-9a-f]{16}$/;
/** Beside environments: what is shown of projects themselves. */
const PROJECT = /^project-[0-9a-f]{16}$/;

/**
 * Built environments: `<root>/<name>/environment.json`, and beside it `files/`, which is all that a sandbox ever sees.
 * One that is being built has another name until it is complete.
 */
export class EnvironmentDirectories {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Null where it was not built, or not to its end. */
  find(name: string): EnvironmentRecord | null {
    if (!NAME.test(name)) return null;
    return EnvironmentRecord.safeParse(readJson(textOf(join(this.root, name, RECORD)))).data ?? null;
  }

  files(name: string): string {
    return join(this.root, name, "files");
  }

  /** Newest use first. */
  list(): { record: EnvironmentRecord; usedAt: number }[] {
    return namesIn(this.root)
      .flatMap((name) => {
        const record = this.find(name);
        return record ? [{ record, usedAt: statSync(join(this.root, name, RECORD)).mtimeMs }] : [];
      })
      .sort((one, other) => other.usedAt - one.usedAt);
  }

  use(name: string, now: number): void {
    try {
      utimesSync(join(this.root, name, RECORD), now / 1000, now / 1000);
    } catch {
      // It belongs to another user, or is being removed: only its age is wrong.
    }
  }

  /** False where there is none of this name. */
  remove(name: string): boolean {
    const directory = join(this.root, name);
    if (!NAME.test(name) || !lstatSync(directory, { throwIfNoEntry: false })) return false;
    // Nobody finds it from here on, however long the rest takes.
    const going = `${directory}.${process.pid}.gone`;
    renameSync(directory, going);
    removeTree(going);
    return true;
  }

  /** Makes the directory of all of them. Sandboxed code passes it, and does not list it. */
  open(): string {
    mkdirSync(this.root, { recursive: true });
    chmodSync(this.root, 0o711);
    return this.root;
  }

  /** An empty directory to build in, below the one that `finish` or `removeTree` is given. */
  begin(name: string): string {
    this.open();
    const draft = join(this.root, `${name}.${process.pid}-${Date.now().toString(36)}.part`);
    mkdirSync(draft, { mode: 0o711 });
    chmodSync(draft, 0o711);
    return draft;
  }

  /** Gives a complete draft its name. Who was first stays: both were made from the same recipe. */
  finish(draft: string, name: string): void {
    try {
      renameSync(draft, join(this.root, name));
    } catch (error) {
      removeTree(draft);
      if (this.find(name) === null) throw error;
    }
  }

  /** Remembers why one could not be built, so that not every command waits for it to fail again. */
  fail(name: string, problem: string, now: number): void {
    const file = join(this.open(), `${name}.failed`);
    writeFileSync(file, problem);
    utimesSync(file, now / 1000, now / 1000);
  }

  /** Null where it did not fail lately. */
  lastFailure(name: string, now: number): string | null {
    const file = join(this.root, `${name}.failed`);
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats && now - stats.mtimeMs < FAILED_MS ? textOf(file) : null;
  }

  /** What is unused, and what a killed process left. */
  prune(now: number): void {
    for (const entry of namesIn(this.root)) {
      const path = join(this.root, entry);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (!stats) continue;
      const used = statSync(join(path, RECORD), { throwIfNoEntry: false })?.mtimeMs ?? stats.mtimeMs;
      if (now - used > (NAME.test(entry) || PROJECT.test(entry) ? UNUSED_MS : ABANDONED_MS)) removeTree(path);
    }
  }
}

export const recordFile = (draft: string): string => join(draft, RECORD);

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
