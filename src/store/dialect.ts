import type { CompiledQuery, Kysely, Dialect as KyselyDialect, RawBuilder } from "kysely";
import type { Tables } from "./tables.ts";

/** The column types that differ between databases. */
export interface ColumnTypes {
  bytes: "blob" | "bytea";
  /** Stores a table in the order of its key where the database can: fewer pages per append. */
  clustered: RawBuilder<unknown>;
}

/** Runs a query that is compiled already. Within a write it is part of the transaction. */
export type RunCompiled = <Row>(query: CompiledQuery<Row>) => Promise<Row[]>;

export interface NextTransaction {
  /** Whether the commit reaches the disk before it returns. */
  durable: boolean;
  /**
   * `write`: as if all writes of all processes came one after the other; where two meet, one of them is busy.
   * `alone`: nobody else writes meanwhile, in any process. `migration`: the same while the tables are made.
   */
  scope: "write" | "alone" | "migration";
}

/** Everything a database does differently. One file per database; the queries above it are shared. */
export interface Dialect {
  readonly name: "sqlite" | "postgres";
  readonly types: ColumnTypes;
  /** One connection for writing; the store never has two writes under way. */
  readonly writer: KyselyDialect;
  readonly reader: KyselyDialect;
  /** On the writer's connection, past Kysely's layers, which take longer than a short query itself. */
  readonly runCompiled: RunCompiled;
  /** The number of the last migration that ran; 0 on a new database. */
  version(): Promise<number>;
  recordVersion(db: Kysely<Tables>, version: number): Promise<void>;
  /** How the next transaction begins and commits. Called outside of transactions, before each of them. */
  prepare(next: NextTransaction): void;
  /** Another process holds the lock: trying again may help. */
  isBusy(error: unknown): boolean;
  /** Translates what a person can do something about; anything else is returned as it came. */
  explain(error: unknown): unknown;
}
