import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { fail } from "../domain/failure.ts";
import { endsSession, LostTransaction } from "./postgres-errors.ts";
import type { PostgresSession } from "./postgres-session.ts";
import { storableText } from "./storable-text.ts";

export interface ConnectionParts {
  open: () => Promise<PostgresSession>;
  /** Translates errors for the caller. */
  translate: (error: unknown) => unknown;
}

/**
 * One connection that survives restarts of the server.
 *
 * Invariants:
 * 1. Queries run one after the other.
 * 2. A query outside of a transaction only reads, so it may be repeated after the session broke.
 * 3. A transaction whose session broke is never continued. If the session broke before the commit, the transaction is
 * lost. If it broke at the commit, nobody knows.
 */
export class PostgresConnection implements DatabaseConnection {
  readonly #parts: ConnectionParts;
  readonly #names = new Map<string, string>();
  #session: PostgresSession | undefined;
  #transaction: PostgresSession | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run<Row>(query);
  }

  /** `often`: prepares the query once. For queries whose text never changes. */
  async run<Row>(query: CompiledQuery, often = false): Promise<QueryResult<Row>> {
    const parameters = query.parameters.map(toPostgres);
    const name = often ? this.#nameOf(query.sql) : undefined;
    const { rows, count } = await this.#inTurn(() =>
      this.#ask((session) => session.query(query.sql, parameters, name)),
    );
    return { rows: rows as Row[], numAffectedRows: BigInt(count) };
  }

  async begin(script: string): Promise<void> {
    await this.#inTurn(async () => {
      // Nothing has happened yet, so a broken session can be replaced.
      this.#transaction = await this.#ask(async (session) => {
        await session.script(script);
        return session;
      });
    });
  }

  async commit(): Promise<void> {
    await this.#inTurn(async () => {
      const session = this.#transaction;
      this.#transaction = undefined;
      if (!session || session.isLost) throw new LostTransaction(undefined);
      try {
        await session.script("commit");
      } catch (error) {
        if (session.isLost || endsSession(error)) throw uncertain(error);
        throw error;
      }
    });
  }

  async rollback(): Promise<void> {
    await this.#inTurn(async () => {
      const session = this.#transaction;
      this.#transaction = undefined;
      // A lost session has already rolled back. Another error here would hide the first one.
      if (!session?.isLost) await session?.script("rollback").catch(() => session.close());
    });
  }

  // biome-ignore lint/correctness/useYield: the port asks for a stream; nothing here uses one
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("streaming queries are not used");
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#session?.close();
    this.#session = undefined;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work).catch((error: unknown) => {
      throw this.#parts.translate(error);
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #ask<T>(ask: (session: PostgresSession) => Promise<T>): Promise<T> {
    if (this.#transaction) return askWithin(this.#transaction, ask);
    const session = await this.#live();
    try {
      return await ask(session);
    } catch (error) {
      if (!session.isLost) throw error;
      return ask(await this.#live());
    }
  }

  async #live(): Promise<PostgresSession> {
    if (this.#session && !this.#session.isLost) return this.#session;
    this.#session = await this.#parts.open();
    return this.#session;
  }

  #nameOf(sql: string): string {
    const name = this.#names.get(sql) ?? `m${this.#names.size + 1}`;
    this.#names.set(sql, name);
    return name;
  }
}

async function askWithin<T>(session: PostgresSession, ask: (session: PostgresSession) => Promise<T>): Promise<T> {
  try {
    return await ask(session);
  } catch (error) {
    if (session.isLost) throw new LostTransaction(error);
    throw error;
  }
}

/** Nothing may be guessed here: a double write would be as wrong as a lost one. */
function uncertain(cause: unknown) {
  const message =
    "the connection to the database broke during a commit, so it is unknown whether the last step was recorded; `miracle resume` finds out";
  return fail("environment", "store.uncertain", message, { cause });
}

/** Accepts the same values as SQLite, with the same meaning. */
function toPostgres(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (value === null || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "bigint") return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  throw new TypeError(`PostgreSQL cannot store a ${typeof value}`);
}
