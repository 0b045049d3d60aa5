// Search by HNSW among many lessons: `npm run bench -- --only memory-hnsw`. It takes minutes, so it runs only when it is named.
import { PGlite } from "@electric-sql/pglite";
import { vector as pgvector } from "@electric-sql/pglite-pgvector";
import { sql } from "kysely";
import { FeatureWeights } from "../src/memory/embed/feature-weights.ts";
import { countedOf, embedHashed } from "../src/memory/embed/hashed.ts";
import { dot } from "../src/memory/embed/unit-length.ts";
import type { IndexFilter, Vector } from "../src/memory/memory-index.ts";
import { PostgresMemoryIndex } from "../src/memory/postgres/postgres-index.ts";
import { signatureOf } from "../src/memory/signature/signature.ts";
import { sketchOf } from "../src/memory/sketch.ts";
import { postgresDialect } from "../src/store/postgres.ts";
import { Store } from "../src/store/store.ts";
import { pgliteServer } from "../test/postgres/pglite-session.ts";
import { lesson } from "./measure-memory.ts";
import { type Measurement, measurement, median } from "./measurement.ts";

const FEW = 2_500;
const MANY = 100_000;
const BAR = 10;
const QUERIES = 25;
const SCANS = 5;
const INSERTS = 20;
/** What the bar is for, and what memory asks each of its rankings for. */
const WANTED = 10;
const DEEP = 40;
const BATCH = 500;
/** Weights are learnt from so many, as memory does. */
const LEARNT_FROM = 5_000;
const FILTER: IndexFilter = { kind: "lesson", audiences: "any" };

/** A PostgreSQL with pgvector inside this process: a server of its own would have its time not counted here. */
export const measureHnsw = (): Measurement => {
  let filled: Promise<Filled> | undefined;
  return measurement(
    ["memory-hnsw"],
    async () => {
      filled ??= fill(MANY, (said) => process.stderr.write(`memory-hnsw: ${said}\n`));
      const { index, weights, few, many } = await filled;
      return { ...(await search(index, weights, WANTED)), deep: await search(index, weights, DEEP), few, many };
    },
    (samples) => {
      const first = samples[0];
      const ms = (value = Number.NaN) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
      return [
        {
          name: "memory-hnsw",
          what: "HNSW in 100,000 lessons, PGlite, processor time",
          value: median(samples.map(({ cpu }) => cpu)),
          unit: "ms",
          bar: BAR,
          detail: `by the clock ${ms(median(samples.map(({ clock }) => clock)))}; comparing all ${ms(first?.many.scan)}, recall@10 ${first?.many.recall.toFixed(3)}; of ${DEEP} ${ms(median(samples.map(({ deep }) => deep.cpu)))}, recall@${DEEP} ${first?.many.deepRecall.toFixed(3)}; insert ${ms(first?.many.insert)}, among ${FEW} ${ms(first?.few)}; built in ${((first?.many.built ?? Number.NaN) / 1000).toFixed(0)} s`,
        },
      ];
    },
  );
};

interface Filled {
  index: PostgresMemoryIndex;
  weights: FeatureWeights;
  /** An insert among few, in milliseconds of the processor. */
  few: number;
  many: { insert: number; scan: number; recall: number; deepRecall: number; built: number };
}

async function fill(count: number, say: (said: string) => void): Promise<Filled> {
  const learnt = Array.from({ length: LEARNT_FROM }, (_, at) => countedOf(signed(at)));
  const weights = FeatureWeights.learn(1, learnt);
  const database = await PGlite.create({ extensions: { vector: pgvector } });
  const store = await Store.open(
    postgresDialect({ open: pgliteServer(database), where: "this process", schema: "bench" }),
  );
  await new PostgresMemoryIndex(store).prepare();
  const vectors: Float32Array[] = [];
  await load(store, weights, vectors, FEW);
  const few = await insert(store, weights, count);
  // With the index there, every row would be put into it by itself.
  await sql`do $$ declare name text; begin for name in select indexname from pg_indexes where indexname like 'memory_bits_%'
    loop execute 'drop index ' || name; end loop; end $$`.execute(store.read);
  while (vectors.length < count) {
    await load(store, weights, vectors, Math.min(count, vectors.length + 10_000));
    say(`${vectors.length} of ${count} lessons`);
  }
  await sql`set maintenance_work_mem = '900MB'`.execute(store.read);
  say("building the index");
  const before = performance.now();
  const index = new PostgresMemoryIndex(store);
  await insertOne(store, index, weights, count + 1_000);
  const built = performance.now() - before;
  say(`built in ${(built / 1000).toFixed(0)} s`);
  const many = {
    insert: await insert(store, weights, count + 2_000),
    built,
    ...(await compare(store, index, weights, vectors)),
  };
  return { index, weights, few, many };
}

/** Past the index of words, which is not what is measured. */
async function load(store: Store, weights: FeatureWeights, into: Float32Array[], upTo: number): Promise<void> {
  while (into.length < upTo) {
    const rows: string[] = [];
    for (const end = Math.min(upTo, into.length + BATCH); into.length < end; ) {
      const { model, values } = embedHashed(signed(into.length), weights);
      const bits = [...sketchOf(values)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
      rows.push(`('b${into.length}', '${model}', '[${values.join(",")}]', '${bits}')`);
      into.push(values);
    }
    await store.write((tx) =>
      sql
        .raw(`with given (id, model, embedding, bits) as (values ${rows.join(",")}),
        entries as (insert into memory_entries (id, shelf, words) select id, 'lesson/global', '' from given returning number, id)
        insert into memory_vectors (entry, model, shelf, embedding, bits)
        select number, model, 'lesson/global', embedding::bench.vector, bits::bit(512) from given join entries using (id)`)
        .execute(tx),
    );
  }
}

async function insert(store: Store, weights: FeatureWeights, from: number): Promise<number> {
  const index = new PostgresMemoryIndex(store);
  await insertOne(store, index, weights, from);
  const costs: number[] = [];
  for (let at = 1; at <= INSERTS; at += 1) {
    const { cpu } = await costOf(() => insertOne(store, index, weights, from + at));
    costs.push(cpu);
  }
  return median(costs);
}

async function insertOne(store: Store, index: PostgresMemoryIndex, weights: FeatureWeights, number: number) {
  const vectors = [embedHashed(signed(number), weights)];
  await store.write((tx) =>
    index.add(tx, { id: `b${number}`, kind: "lesson", audience: "global", words: "", vectors }),
  );
}

async function search(index: PostgresMemoryIndex, weights: FeatureWeights, k: number) {
  const costs: { cpu: number; clock: number }[] = [];
  for (let query = 0; query < QUERIES; query += 1)
    costs.push(await costOf(() => index.nearest(asked(query, weights), FILTER, k)));
  return { cpu: median(costs.map(({ cpu }) => cpu)), clock: median(costs.map(({ clock }) => clock)) };
}

/** What an exact comparison of all costs, and how many of its nearest the index finds. */
async function compare(store: Store, index: PostgresMemoryIndex, weights: FeatureWeights, vectors: Float32Array[]) {
  const found: Record<number, number> = {};
  for (let query = 0; query < QUERIES; query += 1) {
    const { values } = asked(query, weights);
    const scores = vectors.map((vector) => dot(vector, values)).sort((a, b) => b - a);
    for (const k of [WANTED, DEEP]) {
      const hits = await index.nearest(asked(query, weights), FILTER, k);
      // By score: several may be equally near.
      found[k] = (found[k] ?? 0) + hits.filter(({ score }) => score >= (scores[k - 1] ?? 0) - 1e-5).length / k;
    }
  }
  const scans: number[] = [];
  for (let query = 0; query < SCANS; query += 1) {
    const { values } = asked(query, weights);
    const text = `[${values.join(",")}]`;
    const { cpu } = await costOf(() =>
      sql`select entry from memory_vectors order by embedding operator(bench.<#>) ${text}::bench.vector limit 10`.execute(
        store.read,
      ),
    );
    scans.push(cpu);
  }
  return { scan: median(scans), recall: (found[WANTED] ?? 0) / QUERIES, deepRecall: (found[DEEP] ?? 0) / QUERIES };
}

async function costOf(work: () => Promise<unknown>): Promise<{ cpu: number; clock: number }> {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000, clock: performance.now() - start };
}

const signed = (number: number, variant = 0) => signatureOf(lesson(number, variant).error, "python");
const asked = (query: number, weights: FeatureWeights): Vector =>
  embedHashed(signed(Math.floor((query * MANY) / QUERIES), query + 1), weights);

if (import.meta.main) {
  const filled = await fill(Number(process.argv[2] ?? MANY), (said) => process.stderr.write(`${said}\n`));
  const cost = await search(filled.index, filled.weights, WANTED);
  const deep = await search(filled.index, filled.weights, DEEP);
  process.stdout.write(`${JSON.stringify({ ...cost, deep, insertAmongFew: filled.few, ...filled.many })}\n`);
  process.exit(0);
}
