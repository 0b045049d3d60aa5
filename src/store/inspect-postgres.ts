import { parsePostgresAddress } from "./postgres-address.ts";
import { postgresServer } from "./postgres-client.ts";
import { explainPostgres } from "./postgres-errors.ts";

/** The properties of a server that matter here. */
export interface PostgresInspection {
  /** Without the password. */
  where: string;
  server: string;
  isNewEnough: boolean;
  /** The number of the last migration that ran; 0 when there are no tables yet. */
  version: number;
  /** Whether a confirmed write survives a power cut. */
  flushes: boolean;
  encrypted: boolean;
  /** `installed` in this database, `available` on the server but not installed here. */
  pgvector: { state: "installed" | "available"; version: string } | { state: "absent" };
}

/** Inspects a server without changing anything. Its errors are written for people. */
export async function inspectPostgres(url: string): Promise<PostgresInspection> {
  const { where, ...address } = parsePostgresAddress(url);
  try {
    const session = await postgresServer({ where, ...address })();
    try {
      const { rows } = await session.query(QUESTION, []);
      const [row] = rows as [Facts];
      const tables = row.tables ? (await session.query("select version from miracle.schema_version", [])).rows : [];
      const [versions] = tables as [{ version: number }?];
      return {
        where,
        server: row.server,
        isNewEnough: row.number >= 150_000,
        version: versions?.version ?? 0,
        flushes: row.fsync === "on",
        encrypted: row.encrypted === true,
        pgvector:
          row.installed !== null
            ? { state: "installed", version: row.installed }
            : row.available !== null
              ? { state: "available", version: row.available }
              : { state: "absent" },
      };
    } finally {
      await session.close();
    }
  } catch (error) {
    throw explainPostgres(error, where);
  }
}

interface Facts {
  server: string;
  number: number;
  tables: string | null;
  fsync: string;
  encrypted: boolean | null;
  installed: string | null;
  available: string | null;
}

const QUESTION = `select current_setting('server_version') as server, current_setting('server_version_num')::int as number,
  to_regclass('miracle.schema_version')::text as tables, current_setting('fsync') as fsync,
  (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as encrypted,
  (select extversion from pg_extension where extname = 'vector') as installed,
  (select default_version from pg_available_extensions where name = 'vector') as available`;
