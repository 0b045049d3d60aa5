import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Dialect as KyselyDialect,
  PostgresAdapter,
  PostgresIntrospector,
  sql,
} from "kysely";
import { fail } from "../domain/failure.ts";
import type { Dialect, NextTransaction } from "./dialect.ts";
import { KnownServer } from "./known-server.ts";
import { PostgresCompiler } from "./postgres-compiler.ts";
import { PostgresConnection } from "./postgres-connection.ts";
import { explainPostgres, isConflict, LostTransaction } from "./postgres-errors.ts";
import type { OpenSession, PostgresSession } from "./postgres-session.ts";

export interface PostgresPlace {
  open: OpenSession;
  /** The server's name in messages, without a password. */
  where: string;
  /** All tables are in their own schema, because other programs may share the database. */
  schema?: string;
}

const OLDEST_VERSION = 150_000;

/** An arbitrary constant. A process that migrates holds this lock. */
const MIGRATION_LOCK = 7_305_112_841;

/**
 * A PostgreSQL server, for several machines at once. Each process has one connection for writing and one for reading.
 */
export function postgresDialect({ open, where, schema = "miracle" }: PostgresPlace): Dialect {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new Error(`${schema} is no name for a schema`);
  let next: NextTransaction = { durable: true, scope: "write" };
  const explain = (error: unknown) => explainPostgres(error, where);
  const server = new KnownServer();
  const writer = new PostgresConnection({
    open: () => server.open(() => openReady(open, schema, WRITER)),
    // The store explains errors after it has retried for long enough.
    translate: (error) => error,
  });
  const reader = new PostgresConnection({
    open: () => server.open(() => openReady(open, schema, "")),
    translate: explain,
  });
  const ask = async (text: string) => (await writer.run<{ found: unknown }>(CompiledQuery.raw(text))).rows[0]?.found;
  return {
    name: "postgres",
    types: { bytes: "bytea", clustered: sql`` },
    writer: kyselyDialect(writer, () => beginning(next, schema)),
    reader: kyselyDialect(reader, () => "begin isolation level repeatable read read only"),
    runCompiled: async <Row>(query: CompiledQuery<Row>) => (await writer.run<Row>(query, true)).rows,
    version: async () => {
      const isThere = await ask(`select to_regclass('${schema}.schema_version') as found`);
      return isThere === null ? 0 : Number((await ask(`select version as found from ${schema}.schema_version`)) ?? 0);
    },
    recordVersion: async (db, version) => {
      await sql.raw("delete from schema_version").execute(db);
      await sql.raw(`insert into schema_version values (${version})`).execute(db);
    },
    prepare: (wanted) => {
      next = wanted;
    },
    isBusy: (error) => isConflict(error) || error instanceof LostTransaction,
    explain,
  };
}

/** On small tables the planner reads all rows. Then any two transactions would conflict. */
const WRITER = "set enable_seqscan = off;";

async function openReady(open: OpenSession, schema: string, more: string): Promise<PostgresSession> {
  const session = await open();
  try {
    // Limits: a writer that hangs or was stopped must not block all others.
    await session.script(
      `set search_path = ${schema}; set client_min_messages = warning; set jit = off; set statement_timeout = 60000; ` +
        `set lock_timeout = 10000; set idle_in_transaction_session_timeout = 60000; ${more}`,
    );
    const { rows } = await session.query(
      `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
       set_config('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'on'
         else current_setting('synchronous_commit') end, false)`,
      [],
    );
    const [{ version, encoding }] = rows as [{ version: number; encoding: string }];
    if (version < OLDEST_VERSION) throw tooOld(version);
    if (encoding !== "UTF8") throw notUnicode(encoding);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/**
 * Takes one round trip. A write is serialisable, so read-then-write is as safe as under SQLite's single lock. The lock
 * on the version is taken before the snapshot. It only separates writes from transactions that must be alone.
 */
function beginning({ durable, scope }: NextTransaction, schema: string): string {
  switch (scope) {
    case "write": {
      const commit = durable ? "" : "; set local synchronous_commit = off";
      return `begin isolation level serializable${commit}; lock table schema_version in row share mode`;
    }
    case "alone":
      return "begin isolation level read committed; lock table schema_version in exclusive mode";
    case "migration":
      return (
        `begin isolation level read committed; select pg_advisory_xact_lock(${MIGRATION_LOCK}); ` +
        `do $$ begin if to_regnamespace('${schema}') is null then create schema ${schema}; end if; end $$; ` +
        "create table if not exists schema_version (version bigint not null)"
      );
  }
}

function kyselyDialect(connection: PostgresConnection, begin: () => string): KyselyDialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(connection, begin),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresCompiler(),
  };
}

class PostgresDriver implements Driver {
  readonly #connection: PostgresConnection;
  readonly #begin: () => string;

  constructor(connection: PostgresConnection, begin: () => string) {
    this.#connection = connection;
    this.#begin = begin;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    await this.#connection.begin(this.#begin());
  }

  async commitTransaction(): Promise<void> {
    await this.#connection.commit();
  }

  async rollbackTransaction(): Promise<void> {
    await this.#connection.rollback();
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#connection.close();
  }
}

function tooOld(version: number) {
  const message = `the database server is PostgreSQL ${Math.floor(version / 10_000)}, and Miracle needs 15 or newer; name another server in DATABASE_URL`;
  return fail("environment", "store.old", message);
}

function notUnicode(encoding: string) {
  const message = `the database keeps its text as ${encoding}, and Miracle needs UTF8; make one with: createdb --encoding=UTF8 --template=template0`;
  return fail("environment", "store.encoding", message);
}
