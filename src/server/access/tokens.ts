import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { fail } from "../../domain/failure.ts";
import type { Store } from "../../store/store.ts";

/** What a token may do: look, start and stop tasks, answer questions, work on tasks; `admin` may do all of it. */
export const Scope = z.enum(["read", "run", "approve", "work", "admin"]);
export type Scope = z.infer<typeof Scope>;

export interface Token {
  name: string;
  scopes: Scope[];
  createdAt: number;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Makes a token and returns it. It is shown this once: only its hash is kept. */
export async function makeToken(store: Store, name: string, scopes: Scope[], now: number): Promise<string> {
  if (!NAME.test(name)) {
    throw fail("invalid-input", "token.name", `a token's name has letters, digits, dots and dashes, not "${name}"`);
  }
  const token = `mt_${randomBytes(32).toString("base64url")}`;
  const row = { name, hash: hashOf(token), scopes: scopes.join(","), created_at: now };
  await store.write(async (tx) => {
    const known = await tx.selectFrom("tokens").select("name").where("name", "=", name).executeTakeFirst();
    if (known) throw fail("invalid-input", "token.exists", `there is a token ${name} already; remove it first`);
    await tx.insertInto("tokens").values(row).execute();
  });
  return token;
}

/** The token that a caller holds, or null. The database is asked each time: a token that is removed ends at once. */
export async function findToken(store: Store, token: string): Promise<Token | null> {
  const row = await store.read.selectFrom("tokens").selectAll().where("hash", "=", hashOf(token)).executeTakeFirst();
  return row ? toToken(row) : null;
}

export async function listTokens(store: Store): Promise<Token[]> {
  return (await store.read.selectFrom("tokens").selectAll().orderBy("name").execute()).map(toToken);
}

export async function removeToken(store: Store, name: string): Promise<void> {
  await store.write(async (tx) => {
    const gone = await tx.deleteFrom("tokens").where("name", "=", name).executeTakeFirst();
    if (Number(gone.numDeletedRows) === 0)
      throw fail("invalid-input", "token.unknown", `there is no token ${name}; \`miracle token list\` lists them`);
  });
}

export const mayDo = ({ scopes }: Pick<Token, "scopes">, scope: Scope): boolean =>
  scopes.includes(scope) || scopes.includes("admin");

/** What it stands for is random and long: a plain hash cannot be guessed backwards. */
export const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

export const toToken = (row: { name: string; scopes: string; created_at: number }): Token => ({
  name: row.name,
  scopes: z.array(Scope).parse(row.scopes.split(",")),
  createdAt: Number(row.created_at),
});
