import { randomBytes } from "node:crypto";
import type { Store } from "../../store/store.ts";
import { findToken, hashOf, type Token, toToken } from "./tokens.ts";

/** A page stays signed in for so long. */
export const SESSION_MS = 30 * 86_400_000;

/**
 * Signs a page in: its cookie is worth as much as the token, but is no token. Other servers of this machine get it, too,
 * because browsers do not tell ports apart: so it ends by itself, and with its token. Null: no such token.
 */
export async function openSession(
  store: Store,
  token: string,
  now: number,
): Promise<{ session: string; token: Token } | null> {
  const found = await findToken(store, token);
  if (!found) return null;
  const session = `ms_${randomBytes(32).toString("base64url")}`;
  await store.write(async (tx) => {
    await tx.deleteFrom("sessions").where("expires_at", "<=", now).execute();
    const row = { hash: hashOf(session), token_hash: hashOf(token), created_at: now, expires_at: now + SESSION_MS };
    await tx.insertInto("sessions").values(row).execute();
  });
  return { session, token: found };
}

/** The token that a page signed in with, if it still is. */
export async function findSession(store: Store, session: string, now: number): Promise<Token | null> {
  const row = await store.read
    .selectFrom("sessions")
    .innerJoin("tokens", "tokens.hash", "sessions.token_hash")
    .select(["tokens.name", "tokens.scopes", "tokens.created_at"])
    .where("sessions.hash", "=", hashOf(session))
    .where("sessions.expires_at", ">", now)
    .executeTakeFirst();
  return row ? toToken(row) : null;
}

export async function endSession(store: Store, session: string): Promise<void> {
  await store.write(async (tx) => {
    await tx.deleteFrom("sessions").where("hash", "=", hashOf(session)).execute();
  });
}

/** One name for each port: two servers of one machine must not sign each other's pages out. */
const sessionCookie = (host: string | undefined): string => `miracle_session${/:(\d+)$/.exec(host ?? "")?.[1] ?? ""}`;

/** The session that a request brings along. */
export function readSession(headers: Headers): string | undefined {
  const name = sessionCookie(headers.get("host") ?? undefined);
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim().split("="));
  return pairs.find(([key]) => key === name)?.[1];
}

/** Not for scripts, and never sent along from another site. An age of 0 ends it. */
export function sessionHeader(host: string | undefined, session: string, ageMs: number): string {
  return `${sessionCookie(host)}=${session}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(ageMs / 1000)}`;
}
