import { setTimeout as delay } from "node:timers/promises";
import { Kysely, type Transaction } from "kysely";
import { fail, type TerminalFailure } from "../domain/failure.ts";
import { type Faults, noFaults } from "../faults.ts";
import type { Dialect, RunCompiled } from "./dialect.ts";
import type { Tables } from "./tables.ts";
import { Writer } from "./writer.ts";

/** The schema version that this program writes: the number of its last migration. */
export const SCHEMA_VERSION = 11;

const BUSY_LIMIT_MS = 30_000;

/** The queries of one transaction. `run` is for queries that are compiled once and run often. */
export type Write<T> = (tx: Transaction<Tables>, run: RunCompiled) => Promise<T>;

export interface WriteOptions {
  /** False: the write survives kill -9, but a power cut may lose it until the next durable commit. */
  durable?: boolean;
  /** Nobody else writes meanwhile, in any process. For work that must see everything before it deletes. */
  alone?: boolean;
}

/**
 * The database for everything that must survive.
 *
 * Invariants:
 * 1. All writes of this process go through `write`, one after the other, each in one transaction.
 * 2. A write never waits for an effect. It only talks to the database.
 * 3. `read` has its own connection, so it never sees a half-finished write.
 */
export class Store implements AsyncDisposable {
  readonly read: Kysely<Tables>;
  readonly #writer: Writer;
  readonly #dialect: Dialect;
  readonly #faults: Faults;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(dialect: Dialect, faults: Faults) {
    this.#dialect = dialect;
    this.#faults = faults;
    this.read = new Kysely<Tables>({ dialect: dialect.reader });
    this.#writer = new Writer(dialect.writer);
  }

  static async open(dialect: Dialect, faults: Faults = noFaults): Promise<Store> {
    const store = new Store(dialect, faults);
    try {
      await store.#migrate();
    } catch (error) {
      throw dialect.explain(error);
    }
    return store;
  }

  /** Runs the queries of `work` in one transaction and returns after the commit. */
  write<T>(work: Write<T>, options: WriteOptions = {}): Promise<T> {
    const result = this.#last.then(() => this.#commit(work, options));
    this.#last = result.catch(() => {});
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    await this.read.destroy();
    await this.#writer.close();
  }

  async #commit<T>(work: Write<T>, { durable = true, alone = false }: WriteOptions): Promise<T> {
    this.#faults.reach("write:before");
    const result = await this.#untilFree(() => {
      this.#dialect.prepare({ durable, scope: alone ? "alone" : "write" });
      return this.#writer.transaction((tx) => work(tx, this.#dialect.runCompiled));
    });
    this.#faults.reach("write:after");
    return result;
  }

  /** Waits for another process's lock here, asynchronously, and not inside the database. */
  async #untilFree<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!this.#dialect.isBusy(error)) throw this.#dialect.explain(error);
        if (performance.now() - start > BUSY_LIMIT_MS) {
          const explained = this.#dialect.explain(error);
          if (explained !== error) throw explained;
          const seconds = BUSY_LIMIT_MS / 1000;
          throw fail("transient", "store.busy", `another process has held the database for ${seconds} s; try again`, {
            cause: error,
          });
        }
        await delay(5 + Math.random() * 20);
      }
    }
  }

  async #migrate(): Promise<void> {
    const version = await this.#untilFree(() => this.#dialect.version());
    if (version === SCHEMA_VERSION) return;
    if (version > SCHEMA_VERSION) throw tooNew(version);
    const { migrations } = await import("./migrations/migrations.ts");
    await this.#untilFree(() => {
      this.#dialect.prepare({ durable: true, scope: "migration" });
      return this.#writer.transaction(async (tx) => {
        // Another process may have migrated while this one waited for the lock.
        const current = await this.#dialect.version();
        for (const migration of migrations.slice(current)) await migration.up(tx, this.#dialect.types);
        await this.#dialect.recordVersion(tx, SCHEMA_VERSION);
      });
    });
  }
}

function tooNew(version: number): TerminalFailure {
  return fail(
    "environment",
    "store.newer",
    `the database was written by a newer Miracle (version ${version}, this one knows ${SCHEMA_VERSION}); update Miracle or set MIRACLE_HOME`,
  );
}
