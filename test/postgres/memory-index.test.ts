import { PGlite } from "@electric-sql/pglite";
import { vector as pgvector } from "@electric-sql/pglite-pgvector";
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { dot } from "../../src/memory/embed/unit-length.ts";
import type { IndexFilter, Vector } from "../../src/memory/memory-index.ts";
import { PostgresMemoryIndex } from "../../src/memory/postgres/postgres-index.ts";
import type { Dialect } from "../../src/store/dialect.ts";
import { postgresDialect } from "../../src/store/postgres.ts";
import { Store } from "../../src/store/store.ts";
import { entry, fill, memoryIndexConformance, type OpenedIndex, vector } from "../conformance/memory-index.ts";
import { memoryUsesConformance } from "../conformance/memory-uses.ts";
import { pgliteServer } from "./pglite-session.ts";
import { newSchema, problem } from "./shared-server.ts";

const everyone: IndexFilter = { kind: "lesson", audiences: "any" };

async function openIndex(dialect: Dialect): Promise<OpenedIndex> {
  const store = await Store.open(dialect);
  return { store, index: new PostgresMemoryIndex(store) };
}

function onServer() {
  const { open } = newSchema();
  return { open: () => openIndex(open()) };
}

let started: Promise<PGlite> | undefined;
afterAll(async () => (await started)?.close());
let schemas = 0;

/** A schema of its own, on a server with pgvector. It takes seconds to start, so all tests share one. */
function onPGlite() {
  schemas += 1;
  const schema = `test_${schemas}`;
  const open = async () => {
    started ??= PGlite.create({ extensions: { vector: pgvector } });
    return openIndex(postgresDialect({ open: pgliteServer(await started), where: "this process", schema }));
  };
  return { open };
}

describe.skipIf(problem !== undefined)(`a real server${problem ? ` (${problem})` : ""}`, () => {
  memoryIndexConformance("PostgreSQL without pgvector", onServer);
  moreConformance("PostgreSQL without pgvector", onServer, 384);
  memoryUsesConformance("PostgreSQL without pgvector", onServer);
});
memoryIndexConformance("PostgreSQL with pgvector (PGlite)", onPGlite, { oneSession: true });
moreConformance("PostgreSQL with pgvector (PGlite)", onPGlite, 32, true);
memoryUsesConformance("PostgreSQL with pgvector (PGlite)", onPGlite);

test("a search among many can be answered by HNSW", async () => {
  const opened = await onPGlite().open();
  const { store, index } = opened;
  await index.prepare();
  await fill(opened, [entry("e0", { vectors: [vector("m-64", 7, 64)] })]);
  // Past the index, which would take long for so many.
  await store.write(async (tx) => {
    await sql`insert into memory_entries (id, shelf, words) select 'x' || n, 'lesson/global', 'x' from generate_series(1, 2100) n`.execute(
      tx,
    );
    await sql`insert into memory_vectors (entry, model, shelf, embedding) select number, 'm-64', shelf,
      (select embedding from memory_vectors limit 1) from memory_entries where id like 'x%'`.execute(tx);
    await sql`update memory_vectors set embedding = (select array_agg(sin(number * i) / 6)::real[] from generate_series(1, 64) i) where number > 1`.execute(
      tx,
    );
    await sql`update memory_vectors set bits = (select string_agg((sin(number * i) > 0)::int::text, '')::bit(512) from generate_series(1, 512) i) where number > 1`.execute(
      tx,
    );
  });
  const scans = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(store.read);
    const { rows } = await sql<{ scans: number }>`select coalesce(sum(idx_scan), 0)::bigint as scans
      from pg_stat_user_indexes where schemaname = current_schema() and indexrelname like 'memory_bits_%'`.execute(
      store.read,
    );
    return rows[0]?.scans ?? 0;
  };
  const before = await scans();
  // Counts the rows, as making an index does, and tells the planner nothing else.
  await sql`reindex index memory_vectors_pkey`.execute(store.read);
  // Only with many more does the planner find sorting all of them dearer.
  await sql`set enable_sort = off`.execute(store.read);
  expect((await index.nearest(vector("m-64", 7, 64), everyone, 5))[0]?.id).toBe("e0");
  await sql`set enable_sort = on`.execute(store.read);
  expect(await scans()).toBeGreaterThan(before);
  const { rows } = await sql`select 1 from pg_stats where schemaname = current_schema() and tablename = 'memory_vectors'
    and attname = 'shelf'`.execute(store.read);
  expect(rows).toHaveLength(1);
  await store[Symbol.asyncDispose]();
});

test("what was kept before pgvector came is found with it", async () => {
  const { store, index } = await onPGlite().open();
  await index.prepare();
  // As a server without it would have left the table.
  await fill({ store, index }, [entry("a", { vectors: [vector("m-8", 1, 8)] })]);
  const bytes = new Uint8Array(vector("m-8", 1, 8).values.buffer);
  await store.write(async (tx) => {
    await sql`alter table memory_vectors drop column embedding, drop column bits`.execute(tx);
    await sql`update memory_vectors set vector = ${bytes}, sketch = ''`.execute(tx);
  });
  const later = new PostgresMemoryIndex(store);
  await later.prepare();
  expect((await later.nearest(vector("m-8", 1, 8), everyone, 5))[0]?.score).toBeCloseTo(1, 5);
  await store[Symbol.asyncDispose]();
});

/**
 * What only these two could get wrong. `size`: of vectors that are many; PGlite is slow with long ones. `isKnown`: what is sought is
 * like one that is there; in noise, a sketch of a short vector tells little.
 */
function moreConformance(
  name: string,
  database: () => { open: () => Promise<OpenedIndex> },
  size: number,
  isKnown = false,
): void {
  describe(`words and many vectors on ${name}`, () => {
    test("words of any language are found as they are, and by themselves", async () => {
      const opened = await database().open();
      const { index, store } = opened;
      await index.prepare();
      const words = { a: "größe 日本語 ошибка", b: "grösse", c: "", d: "null null null", e: "node_modules a_b" };
      await fill(
        opened,
        Object.entries(words).map(([id, said]) => entry(id, { words: said })),
      );
      const found = async (word: string) => (await index.search([word], everyone, 5)).map(({ id }) => id);
      expect(await found("größe")).toEqual(["a"]);
      expect(await found("日本語")).toEqual(["a"]);
      expect(await found("null")).toEqual(["d"]);
      expect(await found("a_b")).toEqual(["e"]);
      expect(await found("node")).toEqual([]);
      await store[Symbol.asyncDispose]();
    });

    test("a model that comes with a write that fails can come again", async () => {
      const opened = await database().open();
      const { index, store } = opened;
      await index.prepare();
      const add = (fails: boolean) =>
        store.write(async (tx) => {
          await index.add(tx, entry("a", { vectors: [vector("new-8", 1, 8)] }));
          if (fails) throw new Error("half way");
        });
      await expect(add(true)).rejects.toThrow("half way");
      await add(false);
      await add(false);
      expect((await index.nearest(vector("new-8", 1, 8), everyone, 5)).map(({ id }) => id)).toEqual(["a"]);
      await store[Symbol.asyncDispose]();
    });

    test("nearly all of the nearest are found among thousands, and all of a small audience", async () => {
      const opened = await database().open();
      const { index, store } = opened;
      await index.prepare();
      const count = 2100;
      const entries = Array.from({ length: count }, (_, seed) =>
        entry(`e${seed}`, {
          vectors: [vector("many", seed, size)],
          audience: seed % 100 === 0 ? "project:small" : "global",
        }),
      );
      for (let at = 0; at < count; at += 700) await fill(opened, entries.slice(at, at + 700));
      let hits = 0;
      for (let number = 0; number < 10; number += 1) {
        const noise = vector("many", 90_000 + number, size);
        const query = isKnown ? blend(vector("many", 7 * number + 1, size), noise) : noise;
        const exact = entries.map(({ id, vectors }) => ({
          id,
          score: dot(vectors[0]?.values ?? query.values, query.values),
        }));
        // By score: several may be equally near.
        const tenth = exact.sort((a, b) => b.score - a.score)[9]?.score ?? 0;
        const near = await index.nearest(query, everyone, 10);
        hits += isKnown
          ? 10 * Number(near[0]?.id === exact[0]?.id)
          : near.filter(({ score }) => score > tenth - 1e-6).length;
        const small = await index.nearest(query, { kind: "lesson", audiences: ["project:small"] }, 10);
        const ofSmall = exact.filter(({ id }) => Number(id.slice(1)) % 100 === 0).slice(0, 10);
        expect(small.map(({ id }) => id)).toEqual(ofSmall.map(({ id }) => id));
      }
      expect(hits).toBeGreaterThanOrEqual(85);
      await store[Symbol.asyncDispose]();
    }, 300_000);
  });
}

/** Four parts of the one, three of the other. */
function blend(one: Vector, other: Vector): Vector {
  return { model: one.model, values: one.values.map((value, at) => 0.8 * value + 0.6 * (other.values[at] ?? 0)) };
}
