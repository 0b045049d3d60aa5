import { inspectPostgres, type PostgresInspection } from "../../store/inspect-postgres.ts";
import { SCHEMA_VERSION } from "../../store/store.ts";
import { type MachineCheck, machineCheck, optionalCheck, reason } from "./machine-check.ts";

/** What the server that holds everything is like, and what is lost by what it lacks. */
export async function examinePostgres(url: string): Promise<MachineCheck[]> {
  try {
    const seen = await inspectPostgres(url);
    return [examineServer(seen), ...examineFlush(seen), examineVectors(seen)];
  } catch (error) {
    return [machineCheck("database", false, reason(error), "")];
  }
}

function examineServer({ server, where, version, isNewEnough, encrypted }: PostgresInspection): MachineCheck {
  const tables = version === 0 ? `no tables yet (version ${SCHEMA_VERSION} will be made)` : `version ${version}`;
  const text = `PostgreSQL ${server} at ${where}${encrypted ? ", encrypted" : ""}; ${tables}, this Miracle knows ${SCHEMA_VERSION}`;
  if (!isNewEnough) return machineCheck("database", false, text, "PostgreSQL 15 or newer is needed");
  const remedy = "it was written by a newer Miracle: update this one, or name another database";
  return machineCheck("database", version <= SCHEMA_VERSION, text, remedy);
}

function examineFlush({ flushes }: PostgresInspection): MachineCheck[] {
  if (flushes) return [];
  const text = "the server has fsync off: a power cut may cost recorded steps and spent money";
  return [optionalCheck("database, power cut", false, text, "set fsync = on in postgresql.conf")];
}

function examineVectors({ pgvector }: PostgresInspection): MachineCheck {
  const slow = "memory is searched by sketches of vectors and then exactly among the best, as in the embedded database";
  const optional = (ok: boolean, text: string, remedy: string) => optionalCheck("pgvector", ok, text, remedy);
  switch (pgvector.state) {
    case "installed":
      return optional(true, `version ${pgvector.version}, memory is searched with HNSW`, "");
    case "available":
      return optional(false, `on the server, but not in this database; ${slow}`, "create extension vector");
    case "absent":
      return optional(false, `not on the server; ${slow}`, "install it on the server, then: create extension vector");
  }
}
