import type { OpenedApp } from "../../app.ts";
import { fail } from "../../domain/failure.ts";
import type { Lesson } from "../../domain/memory/lesson.ts";
import { audienceOf, type MemoryKind, type MemoryStatus } from "../../domain/memory/memory-record.ts";
import type { Pattern } from "../../domain/memory/pattern.ts";
import { type Effect, effectOf } from "../../memory/effect/effect.ts";
import type { Memory } from "../../memory/memory.ts";
import { projectOf } from "../../memory/project-id.ts";
import { usesOf } from "../../memory/uses.ts";
import type { Directories } from "../work/directories.ts";

export interface RecordFilter {
  kind?: MemoryKind | undefined;
  status?: MemoryStatus | undefined;
  limit: number;
}

export type KnownRecord = (Lesson | Pattern) & { effect: Effect };

/** Lessons and patterns of this server's projects, and those of everyone. Others do not exist here. */
export class MemoryRecords {
  readonly #home: OpenedApp;
  readonly #directories: Directories;
  readonly #warn: (message: string) => void;
  #memory: Promise<Memory> | undefined;

  constructor(home: OpenedApp, directories: Directories, warn: (message: string) => void) {
    this.#home = home;
    this.#directories = directories;
    this.#warn = warn;
  }

  /** Newest first, with what they have done so far. */
  async list({ kind, status, limit }: RecordFilter): Promise<KnownRecord[]> {
    const memory = await this.#open();
    const found: (Lesson | Pattern)[] = [];
    for await (const record of memory.list({ ...(kind && { kind }), ...(status && { status }) })) {
      if (!this.#isOurs(record)) continue;
      found.push(record);
      if (found.length === limit) break;
    }
    const { store } = this.#home.app;
    const uses = Map.groupBy(
      await usesOf(
        store.read,
        found.map(({ id }) => id),
      ),
      ({ record }) => record,
    );
    return found.map((record) => ({ ...record, effect: effectOf(uses.get(record.id) ?? []) }));
  }

  /** For good. Returns how many there were; that there was none at all is a mistake. */
  async forget(ids: string[]): Promise<number> {
    const memory = await this.#open();
    const ours = (await memory.get(ids)).filter((record) => this.#isOurs(record)).map(({ id }) => id);
    if (ours.length === 0) throw fail("invalid-input", "memory.unknown", "there is no such record");
    return memory.forget(ours);
  }

  #isOurs(record: Lesson | Pattern): boolean {
    if (record.scope === "mine") return record.project === "";
    if (record.scope !== "project") return true;
    const mine = this.#directories.paths.map((path) =>
      audienceOf({ scope: "project", project: projectOf(path), language: "" }),
    );
    return mine.includes(audienceOf(record));
  }

  #open(): Promise<Memory> {
    this.#memory ??= this.#home.app.openMemory(this.#home.config.settings, this.#warn);
    return this.#memory;
  }
}
