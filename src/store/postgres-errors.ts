import { fail, TerminalFailure } from "../domain/failure.ts";

/** The connection broke in an open transaction before its commit. The server has rolled it back. */
export class LostTransaction extends Error {
  constructor(cause: unknown) {
    super("the connection to the database was lost within a transaction", { cause });
  }
}

/** The SQLSTATE of a server's error, or the code of a system call's. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const CONFLICT = ["40001", "40P01", "55P03"];

/** Two transactions conflicted, or waited too long for each other. Another try may succeed. */
export const isConflict = (error: unknown): boolean => CONFLICT.includes(codeOf(error) ?? "");

const ENDED = ["57P01", "57P02", "57P05", "25P03", "ECONNRESET", "EPIPE", "ETIMEDOUT"];

/** True if the session is over, whatever the cause. */
export function endsSession(error: unknown): boolean {
  const code = codeOf(error) ?? "";
  if (ENDED.includes(code) || code.startsWith("08")) return true;
  return (
    error instanceof Error && /^(Connection terminated|Query read timeout|Client has encountered)/.test(error.message)
  );
}

const ABSENT = ["ECONNREFUSED", "ENOENT", "57P01", "57P03", "ECONNRESET", "EPIPE"];

/** True for the answers of a server that is restarting. */
export const mayComeBack = (error: unknown): boolean => ABSENT.includes(codeOf(error) ?? "");

/** The server is reachable and still starting. */
export const isStarting = (error: unknown): boolean => codeOf(error) === "57P03";

/** Translates an error that a person can do something about. `where` names the server without a password. */
export function explainPostgres(error: unknown, where: string): unknown {
  if (error instanceof TerminalFailure) return error;
  const cause = error instanceof LostTransaction ? error.cause : error;
  const code = codeOf(cause) ?? "";
  const known = MESSAGES[code];
  if (known) return fail("environment", `store.${known.name}`, `${known.message}: ${where}`, { cause: error });
  // Any other error about a query is our own mistake, not the person's.
  if (/^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !endsSession(cause)) return error;
  const text = cause instanceof Error ? cause.message : "";
  if (
    /SSL|TLS|certificate/i.test(text) ||
    /^(ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(VERIFY|GET))/.test(code)
  ) {
    const message = `no trusted connection to the database (${text || code}); see sslmode and sslrootcert in DATABASE_URL`;
    return fail("environment", "store.tls", `${message}: ${where}`, { cause: error });
  }
  if (
    error instanceof LostTransaction ||
    endsSession(cause) ||
    /^E[A-Z_]+$/.test(code) ||
    /timeout expired/.test(text)
  ) {
    const message = `the database server does not answer (${code || text}); start it, or check DATABASE_URL (without it the embedded database is used)`;
    return fail("environment", "store.unreachable", `${message}: ${where}`, { cause: error });
  }
  return error;
}

const refused = { name: "refused", message: "the database server refuses this user or password; check DATABASE_URL" };
const rights = {
  name: "rights",
  message:
    "this user may not do that in the database; its owner can help with: grant create on database NAME to USER, or create schema miracle authorization USER",
};
const standby = {
  name: "unwritable",
  message: "this database server only answers and writes nothing; name its primary",
};
const full = { name: "full", message: "the disk of the database server is full; free some space there, then resume" };
const slow = {
  name: "slow",
  message: "the database server took too long for one query; try again when it is less busy",
};
const damaged = { name: "corrupt", message: "the database server says that its data is damaged" };
const crowded = {
  name: "crowded",
  message: "the database server takes no more connections; try again or raise its max_connections",
};

const MESSAGES: Record<string, { name: string; message: string } | undefined> = {
  "28P01": refused,
  "28000": refused,
  "3D000": { name: "absent", message: "there is no such database on the server; make it with createdb" },
  "42501": rights,
  "25006": standby,
  "53100": full,
  "53300": crowded,
  "57014": slow,
  XX001: damaged,
  XX002: damaged,
};
