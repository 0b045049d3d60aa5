import type { Dialect } from "./dialect.ts";
import { postgresDialect } from "./postgres.ts";
import { parsePostgresAddress } from "./postgres-address.ts";
import { postgresServer } from "./postgres-client.ts";

/** The database at `postgres://…`. Nothing is opened before it is used. */
export function openPostgres(url: string): Dialect {
  const address = parsePostgresAddress(url);
  return postgresDialect({ open: postgresServer(address), where: address.where });
}
