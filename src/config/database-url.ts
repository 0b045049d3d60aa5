import type { Environment } from "./environment-layer.ts";

/**
 * The address of PostgreSQL, or undefined for the embedded database. `MIRACLE_DATABASE_URL` comes first, so that a
 * project can keep its own DATABASE_URL; its value `sqlite` means the embedded database. Only the environment of the
 * process counts, and behind it the person's own settings: an address from a repository must not receive our data.
 */
export function databaseUrl(env: Environment, set?: string): string | undefined {
  const own = env.MIRACLE_DATABASE_URL?.trim();
  if (own !== undefined && own !== "") return own.toLowerCase() === "sqlite" ? undefined : own;
  const shared = env.DATABASE_URL?.trim() ?? "";
  // Another kind of database belongs to the project. We ignore it.
  return /^postgres(ql)?:\/\//i.test(shared) ? shared : set;
}
