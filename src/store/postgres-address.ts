import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { fail } from "../domain/failure.ts";

/** The address of a PostgreSQL server and the way to connect. */
export interface PostgresAddress {
  host: string;
  port: number;
  user: string | undefined;
  password: string | undefined;
  database: string;
  tls: Tls;
  /** For messages: never holds the password. */
  where: string;
}

/** `preferred`: encrypted if the server supports it. Other clients do the same by default. */
type Tls = { mode: "off" } | { mode: "preferred" | "required"; options: ConnectionOptions };

const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…`. Its errors never quote the text, which may hold a
 * password.
 */
export function parsePostgresAddress(text: string): PostgresAddress {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // No cause, because it would quote the address.
    throw refused("is no address");
  }
  if (!isPostgresAddress(text)) throw refused("does not begin with postgres://");
  const query = url.searchParams;
  const host = decoded(url.hostname) || query.get("host") || "localhost";
  const port = Number(url.port || query.get("port") || 5432);
  const user = decoded(url.username) || query.get("user") || undefined;
  const database = decoded(url.pathname.slice(1)) || query.get("dbname") || user || "postgres";
  const place = host.startsWith("/") ? host : `${host}:${port}`;
  return {
    host: host.replace(/^\[(.*)\]$/, "$1"),
    port,
    user,
    password: decoded(url.password) || query.get("password") || undefined,
    database,
    tls: tlsOf(query, host),
    where: `${user === undefined ? "" : `${user}@`}${place}/${database}`,
  };
}

const isPostgresAddress = (text: string): boolean => /^postgres(ql)?:\/\//i.test(text.trim());

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused("holds a % that stands for nothing; write %25 for a % in a password");
  }
}

/**
 * `sslmode` means the same as in PostgreSQL's own programs: `require` encrypts, `verify-full` also checks the server's
 * identity.
 */
function tlsOf(query: URLSearchParams, host: string): Tls {
  const mode = query.get("sslmode") ?? "prefer";
  if (!MODES.includes(mode)) throw refused(`has the sslmode ${mode}; there are ${MODES.join(", ")}`);
  if (mode === "disable" || host.startsWith("/")) return { mode: "off" };
  const root = query.get("sslrootcert");
  const [certificate, key] = [query.get("sslcert"), query.get("sslkey")];
  const verified = mode.startsWith("verify") || (mode === "require" && root !== null);
  const options: ConnectionOptions = {
    rejectUnauthorized: verified,
    ...(root !== null && root !== "system" && { ca: fileOf("sslrootcert", root) }),
    ...(certificate !== null && { cert: fileOf("sslcert", certificate) }),
    ...(key !== null && { key: fileOf("sslkey", key) }),
    ...(mode !== "verify-full" && { checkServerIdentity: () => undefined }),
  };
  return { mode: mode === "prefer" || mode === "allow" ? "preferred" : "required", options };
}

function fileOf(parameter: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const message = `the ${parameter} of DATABASE_URL cannot be read: ${path}`;
    throw fail("environment", "store.address", message, { cause: error });
  }
}

function refused(why: string) {
  const form = "postgres://user:password@host:5432/database";
  return fail("invalid-input", "store.address", `DATABASE_URL ${why}; it looks like ${form}`);
}
