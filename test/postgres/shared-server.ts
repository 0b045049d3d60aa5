import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { postgresDialect } from "../../src/store/postgres.ts";
import { parsePostgresAddress } from "../../src/store/postgres-address.ts";
import { postgresServer } from "../../src/store/postgres-client.ts";
import type { TestDatabase } from "../conformance/store-database.ts";

const provided = inject("postgres");

/** Why there is no server; then its tests are skipped. */
export const problem = "problem" in provided ? provided.problem : undefined;

const unique = () => `test_${randomBytes(6).toString("hex")}`;

/** A schema of its own for one test. */
export function newSchema(): TestDatabase {
  const url = serverUrl();
  const address = parsePostgresAddress(url);
  const schema = unique();
  onTestFinished(async () => void (await administer(`drop schema if exists ${schema} cascade`)));
  return { open: () => postgresDialect({ open: postgresServer(address), where: address.where, schema }) };
}

/** The address of a database of its own for one test. */
export async function newDatabase(): Promise<string> {
  const name = unique();
  await administer(`create database ${name}`);
  onTestFinished(async () => void (await administer(`drop database ${name} with (force)`)));
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

/** A query of the test's own, past the store. */
export async function administer(sql: string, url = serverUrl()): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function serverUrl(): string {
  if (!("url" in provided)) throw new Error("there is no server");
  return provided.url;
}
