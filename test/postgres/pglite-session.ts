import type { PGlite } from "@electric-sql/pglite";
import {
  numberParsers,
  type OpenSession,
  type PostgresAnswer,
  type PostgresSession,
} from "../../src/store/postgres-session.ts";

/** Sessions of a PostgreSQL inside this process. It has only one: whoever opens a second talks in the first. */
export const pgliteServer =
  (database: PGlite): OpenSession =>
  async () =>
    new PGliteSession(database);

class PGliteSession implements PostgresSession {
  readonly isLost = false;
  readonly #database: PGlite;

  constructor(database: PGlite) {
    this.#database = database;
  }

  async query(sql: string, parameters: unknown[]): Promise<PostgresAnswer> {
    const { rows, affectedRows } = await this.#database.query(sql, parameters, { parsers: numberParsers });
    return { rows, count: affectedRows ?? rows.length };
  }

  async script(sql: string): Promise<void> {
    await this.#database.exec(sql);
  }

  async close(): Promise<void> {}
}
