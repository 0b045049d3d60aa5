import type { CompiledQuery, Kysely, Dialect as KyselyDialect, RawBuilder } from "kysely";
import type { Tables } from "./tables.ts";

/** The column types that differ between databases. */
export interface ColumnTypes {
  bytes: "blob" | "bytea";
  /** Stores a table in the order of its key where the database can: fewer pages per append. */
  clustered: RawBuilder<unknown>;
}

/** Runs a compiled query. Within a write it is part of the transaction. */
export type RunCompiled = <Row>(query: CompiledQuery<Row>) => Promise<Row[]>;

export interface NextTransaction {
  /** Whether the commit reaches the disk before it returns. */
  durable: boolean;
  /**
   * `write`: all writes of all processes are serialised; if two conflict, one of them is busy. `alone`: nobody else
   * writes meanwhile, in any process. `migration`: like `alone`, while the tables are made.
   */
  scope: "write" | "alone" | "migration";
}

/** Everything a database does differently. One file per database; the queries above it are shared. */
export interface Dialect {
  readonly name: "sqlite" | "postgres";
  readonly types: ColumnTypes;
  /** One connection for writing. The store never has two writes under way. */
  readonly writer: KyselyDialect;
  readonly reader: KyselyDialect;
  /** Uses the writer's connection without Kysely's layers, which take longer than a short query itself. */
  readonly runCompiled: RunCompiled;
  /** The number of the last migration that ran; 0 on a new database. */
  version(): Promise<number>;
  recordVersion(db: Kysely<Tables>, version: number): Promise<void>;
  /** Sets how the next transaction begins and commits. Called before each transaction, outside of it. */
  prepare(next: NextTransaction): void;
  /** True if another process holds the lock, so trying again may help. */
  isBusy(error: unknown): boolean;
  /** Translates an error that a person can do something about. Returns any other error unchanged. */
  explain(error: unknown): unknown;
}
