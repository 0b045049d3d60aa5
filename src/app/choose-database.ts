import { join } from "node:path";
import type { MemoryIndex } from "../memory/memory-index.ts";
import type { Dialect } from "../store/dialect.ts";
import { sqliteDialect } from "../store/sqlite.ts";
import type { Store } from "../store/store.ts";

/** Where the database is: on a server, or in a file. */
export interface DatabasePlace {
  dataDirectory: string;
  /** The address of a PostgreSQL server; without it the database is a file in the data directory. */
  databaseUrl?: string | undefined;
}

/** The client of a database server is loaded only if a server is used. */
export async function chooseDatabase({ dataDirectory, databaseUrl }: DatabasePlace): Promise<Dialect> {
  if (databaseUrl === undefined) return sqliteDialect(join(dataDirectory, "miracle.db"));
  const { openPostgres } = await import("../store/open-postgres.ts");
  return openPostgres(databaseUrl);
}

export async function chooseMemoryIndex(store: Store, databaseUrl: string | undefined): Promise<MemoryIndex> {
  if (databaseUrl === undefined) {
    const { SqliteMemoryIndex } = await import("../memory/sqlite-index.ts");
    return new SqliteMemoryIndex(store);
  }
  const { PostgresMemoryIndex } = await import("../memory/postgres/postgres-index.ts");
  return new PostgresMemoryIndex(store);
}
