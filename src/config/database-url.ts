import type { Environment } from "./environment-layer.ts";

/**
 * Where the database is: an address of PostgreSQL, or undefined for the embedded one. `MIRACLE_DATABASE_URL` goes first, so
 * that a project's own DATABASE_URL can be left alone; `sqlite` in it means the embedded one. Only the environment of the
 * process counts: an address that came with a repository must not receive what we know.
 */
export function databaseUrl(env: Environment): string | undefined {
  const own = env.MIRACLE_DATABASE_URL?.trim();
  if (own !== undefined && own !== "") return own.toLowerCase() === "sqlite" ? undefined : own;
  const shared = env.DATABASE_URL?.trim() ?? "";
  // Another kind of database is the project's, and none of our business.
  return /^postgres(ql)?:\/\//i.test(shared) ? shared : undefined;
}
