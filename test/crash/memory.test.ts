import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { readRecords } from "../../evals/retrieval/records.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { sqliteDialect } from "../../src/store/sqlite.ts";
import { Store } from "../../src/store/store.ts";
import { temporaryDirectory } from "../temporary.ts";

const run = promisify(execFile);
const errors = readRecords()
  .slice(0, 60)
  .map(({ id, error, language }) => ({ id, error, language }));

function importing(home: string, file: string, fault?: number) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    MIRACLE_HOME: home,
    ...(fault && { MIRACLE_FAULT: String(fault) }),
  };
  // What is kept, and not how well it is found again: the sentence model would take most of the time.
  mkdirSync(join(home, ".config", "miracle"), { recursive: true });
  writeFileSync(join(home, ".config", "miracle", "config.yaml"), "memory: { embeddings: { provider: none } }\n");
  const words = [join(packageRoot(), "bin", "miracle.js"), "memory", "import", file, "--scope", "global", "--json"];
  return run(process.execPath, words, { env, cwd: home }).then(
    ({ stdout }) => JSON.parse(stdout) as { kept: number; merged: number },
    (error: { signal?: string }) => {
      if (error.signal !== "SIGKILL") throw error;
      return null;
    },
  );
}

function jsonLines(home: string, name: string, records: unknown[]): string {
  const file = join(home, name);
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return file;
}

/** Every active record has its words and its vector of the weights in force, and nothing else has any. */
async function expectConsistent(home: string): Promise<number> {
  await using store = await Store.open(sqliteDialect(join(home, "miracle.db")));
  const { rows: tables } = await sql`select 1 from sqlite_master where name = 'memory_words'`.execute(store.read);
  const count = async (query: string) =>
    Number((await sql.raw<{ n: number }>(`select count(*) as n from ${query}`).execute(store.read)).rows[0]?.n);
  const lessons = await count("failures");
  if (tables.length === 0) {
    expect(lessons).toBe(0);
    return 0;
  }
  const version =
    (await store.read.selectFrom("memory_weights").select("version").orderBy("version", "desc").executeTakeFirst())
      ?.version ?? 0;
  expect(await count("failures f join memory_entries e on e.id = f.id")).toBe(lessons);
  expect(await count("memory_entries")).toBe(lessons);
  expect(await count("memory_words")).toBe(lessons);
  expect(await count("memory_entries e join memory_words w on w.rowid = e.number")).toBe(lessons);
  expect(
    await count(
      `memory_vectors v join memory_entries e on e.number = v.entry where v.model = 'hashed-1024.${version}'`,
    ),
  ).toBe(lessons);
  return lessons;
}

test("memory is consistent after a kill at any write of an import, and a second import completes it", async () => {
  const whole = temporaryDirectory();
  const complete = await importing(whole, jsonLines(whole, "in.jsonl", errors));
  const all = await expectConsistent(whole);
  expect(all).toBe(complete?.kept);
  let kills = 0;
  for (let fault = 1; ; fault += 1) {
    const home = temporaryDirectory();
    const file = jsonLines(home, "in.jsonl", errors);
    if ((await importing(home, file, fault)) !== null) break;
    kills += 1;
    await expectConsistent(home);
    if (fault % 4 !== 0) continue;
    await importing(home, file);
    expect(await expectConsistent(home)).toBe(all);
  }
  expect(kills).toBeGreaterThan(8);
});

test("two processes that import at the same time lose nothing", async () => {
  const home = temporaryDirectory();
  const made = (side: string) =>
    Array.from({ length: 150 }, (_, at) => ({
      id: `${side}${at}`,
      error: `${side}Error: ${"abcdefghij"[at % 10]} ${"klmnopqrstuvwxyz"[at >> 4]} failed`,
      language: "python",
    }));
  const sides = ["Left", "Right"].map((side) => importing(home, jsonLines(home, `${side}.jsonl`, made(side))));
  const results = await Promise.all(sides);
  const kept = results.reduce((sum, result) => sum + (result?.kept ?? 0), 0);
  expect(results.map((result) => (result?.kept ?? 0) + (result?.merged ?? 0))).toEqual([150, 150]);
  expect(await expectConsistent(home)).toBe(kept);
});
