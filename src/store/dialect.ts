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
  /** Whether the next commit reaches the disk before it returns. Set outside of transactions. */
  setDurable(durable: boolean): void;
  /** Another process holds the lock: trying again may help. */
  isBusy(error: unknown): boolean;
  /** Translates what a person can do something about; anything else is returned as it came. */
  explain(error: unknown): unknown;
}
