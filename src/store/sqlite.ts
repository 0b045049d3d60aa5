import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Dialect as KyselyDialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import { fail } from "../domain/failure.ts";
import type { Dialect } from "./dialect.ts";
import { storableText } from "./storable-text.ts";

/** Longer waits block the event loop. The store retries asynchronously instead. */
const BUSY_TIMEOUT_MS = 50;

/** The embedded database. WAL, several processes at once, an fsync per durable commit. */
export function sqliteDialect(file: string): Dialect {
  let writer: SqliteConnection | undefined;
  let durable = true;
  const openWriter = () => {
    writer ??= new SqliteConnection(open(file));
    return writer;
  };
  return {
    name: "sqlite",
    types: { bytes: "blob", clustered: sql`without rowid` },
    writer: kyselyDialect(openWriter),
    reader: kyselyDialect(() => new SqliteConnection(open(file))),
    runCompiled: async <Row>(query: CompiledQuery<Row>) => openWriter().rowsOf(query),
    version: async () => Number(openWriter().database.prepare("pragma user_version").get()?.user_version ?? 0),
    recordVersion: async (db, version) => {
      await sql.raw(`pragma user_version = ${version}`).execute(db);
    },
    // The scope needs nothing here: a write always has the whole database to itself.
    prepare: (next) => {
      if (next.durable === durable) return;
      openWriter().database.exec(`pragma synchronous = ${next.durable ? "full" : "normal"}`);
      durable = next.durable;
    },
    isBusy: (error) => code(error) === SQLITE_BUSY || code(error) === SQLITE_LOCKED,
    explain: (error) => explain(error, file),
  };
}

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

function open(file: string): DatabaseSync {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000");
    return database;
  } catch (error) {
    throw explain(error, file);
  }
}

/** The primary result code: extended codes carry more in their higher bits. */
function code(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return Number(error.errcode) & 0xff;
}

function explain(error: unknown, file: string): unknown {
  const what = (name: string, message: string) =>
    fail("environment", `store.${name}`, `${message}: ${file}`, { cause: error });
  switch (code(error)) {
    case SQLITE_FULL:
      return what("full", "the disk that holds the database is full; free some space, then resume");
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return what("unwritable", "the database cannot be opened for writing; check the permissions or set MIRACLE_HOME");
    case SQLITE_IOERR:
      return what("io", "the disk that holds the database failed");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return what(
        "corrupt",
        "this file is not a database of Miracle's, or it is damaged; move it away or set MIRACLE_HOME",
      );
  }
  if (error instanceof Error && "code" in error && typeof error.code === "string" && /^E[A-Z]+$/.test(error.code)) {
    return what("unwritable", `the data directory cannot be used (${error.code}); check it or set MIRACLE_HOME`);
  }
  return error;
}

function kyselyDialect(open: () => SqliteConnection): KyselyDialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(open),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** One connection, statements prepared once, transactions that take the write lock at their begin. */
class SqliteDriver implements Driver {
  readonly #open: () => SqliteConnection;
  #connection: SqliteConnection | undefined;

  constructor(open: () => SqliteConnection) {
    this.#open = open;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= this.#open();
    return this.#connection;
  }

  /** A deferred begin fails at once on read-then-write while another process writes. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // On a full or failing disk SQLite has already rolled back. A second rollback would hide the cause.
    if (this.#connection?.isInTransaction) await connection.executeQuery(CompiledQuery.raw("rollback"));
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#connection?.close();
    this.#connection = undefined;
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run<Row>(query);
  }

  run<Row>(query: CompiledQuery): QueryResult<Row> {
    const { statement, returnsRows } = this.#prepare(query.sql);
    const parameters = query.parameters.map(toSqlite);
    if (returnsRows) {
      return { rows: statement.all(...parameters) as Row[] };
    }
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Leaves out the counts that Kysely wants as large integers. */
  rowsOf<Row>(query: CompiledQuery<Row>): Row[] {
    const { statement, returnsRows } = this.#prepare(query.sql);
    const parameters = query.parameters.map(toSqlite);
    if (returnsRows) return statement.all(...parameters) as Row[];
    statement.run(...parameters);
    return [];
  }

  // biome-ignore lint/correctness/useYield: the port asks for a stream; nothing here uses one
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("streaming queries are not used");
  }

  get isInTransaction(): boolean {
    return this.database.isTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.database.close();
  }

  #prepare(sql: string): { statement: StatementSync; returnsRows: boolean } {
    let prepared = this.#statements.get(sql);
    if (!prepared) {
      const statement = this.database.prepare(sql);
      prepared = { statement, returnsRows: statement.columns().length > 0 };
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }
}

function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === "string") return storableText(value);
  if (value === null || typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Uint8Array) return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  throw new TypeError(`SQLite cannot store a ${typeof value}`);
}
