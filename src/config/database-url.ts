import type { ConfigFile } from "./config-file.ts";
import type { Environment } from "./environment-layer.ts";

/**
 * The address of PostgreSQL, or undefined for the embedded database. `MIRACLE_DATABASE_URL` comes first, so that a
 * project can keep its own DATABASE_URL; its value `sqlite` means the embedded database. Then the person's own
 * database.yaml counts, and no project's file: an address from a repository must not receive our data.
 */
export function databaseUrl(env: Environment, { url, passwordVariable }: DatabaseSettings = {}): string | undefined {
  const own = env.MIRACLE_DATABASE_URL?.trim();
  if (own !== undefined && own !== "") return own.toLowerCase() === "sqlite" ? undefined : own;
  const shared = env.DATABASE_URL?.trim() ?? "";
  // Another kind of database belongs to the project. We ignore it.
  if (/^postgres(ql)?:\/\//i.test(shared)) return shared;
  if (!url) return undefined;
  const password = passwordVariable === undefined ? undefined : env[passwordVariable];
  return password ? withPassword(url, password) : url;
}

type DatabaseSettings = NonNullable<ConfigFile["database"]>;

function withPassword(text: string, password: string): string {
  const url = new URL(text);
  if (url.password === "") url.password = password;
  return url.href;
}
