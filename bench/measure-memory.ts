// Search in memory as it grows: `node bench/measure-memory.ts [lessons]`, or as a part of `npm run bench`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { embedHashed } from "../src/memory/embed/hashed.ts";
import { dot } from "../src/memory/embed/unit-length.ts";
import { signatureOf } from "../src/memory/signature/signature.ts";
import { SqliteMemoryIndex } from "../src/memory/sqlite-index.ts";
import { StoredWeights } from "../src/memory/stored-weights.ts";
import { type BuiltMemory, buildMemory } from "../test/memory-builder.ts";
import { type Measurement, measurement, median } from "./measurement.ts";
import type { Place } from "./place.ts";

const SIZES = [1_000, 10_000, 100_000];
const QUERIES = 25;
const INSERTS = 30;
const BATCH = 500;

export interface MemoryFigures {
  lessons: number;
  /** Medians, in milliseconds. */
  search: number;
  /** Processor time of the same: what a busy machine does not change. */
  searchCpu: number;
  /** In a process that has the sketches in memory already, and in one that has not. */
  nearest: number;
  cold: number;
  scan: number;
  insert: number;
  /** The share of the ten nearest by exact comparison that the index finds. */
  recall: number;
}

/** A search among this many lessons, in processor time: other programs on the machine do not count. */
const MANY = 100_000;
const BAR = 20;

/** Filling the memory takes a minute or two, once; so it is the last of the rows. */
export const measureRecall = (place: Place): Measurement => {
  let filled: Promise<MemoryFigures[]> | undefined;
  const file = join(place.directory("memory-search"), "miracle.db");
  return measurement(
    ["memory-search"],
    async () => {
      filled ??= measureMemorySearch([MANY / 100, MANY], file);
      const [few, many] = await filled;
      await using built = await buildMemory(file);
      return { few, many, search: await searchCost(built, MANY) };
    },
    (samples) => {
      const { few, many } = samples[0] ?? {};
      const ms = (value = Number.NaN) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
      return [
        {
          name: "memory-search",
          what: "search in 100,000 lessons, processor time",
          value: median(samples.map(({ search }) => search)),
          unit: "ms",
          bar: BAR,
          detail: `comparing all ${ms(many?.scan)}, recall@10 ${many?.recall.toFixed(2)}; insert ${ms(many?.insert)}, among 1,000 ${ms(few?.insert)}`,
        },
      ];
    },
  );
};

/** The median of a search, once the sketches are in memory. */
async function searchCost({ memory }: BuiltMemory, lessons: number): Promise<number> {
  const costs: number[] = [];
  for (let query = 0; query < QUERIES; query += 1) {
    const { error } = lesson(Math.floor((query * lessons) / QUERIES), query + 1);
    const before = process.cpuUsage();
    await memory.find({ kind: "lesson", error, for: "any", limit: 5 });
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
  }
  return median(costs);
}

/** Fills a memory to each size in turn and measures there. */
export async function measureMemorySearch(sizes: readonly number[], file: string): Promise<MemoryFigures[]> {
  await using built = await buildMemory(file);
  const figures: MemoryFigures[] = [];
  let filled = 0;
  for (const size of sizes) {
    for (; filled < size; filled += BATCH)
      await built.memory.keep(Array.from({ length: BATCH }, (_, at) => lesson(filled + at)));
    figures.push(await measureAt(built, file, size));
  }
  return figures;
}

async function measureAt({ memory, store }: BuiltMemory, file: string, lessons: number): Promise<MemoryFigures> {
  const index = new SqliteMemoryIndex(store);
  const weights = await new StoredWeights().current(store.read);
  const filter = { kind: "lesson", audiences: "any" } as const;
  const times = {
    search: [] as number[],
    searchCpu: [] as number[],
    nearest: [] as number[],
    cold: [] as number[],
    scan: [] as number[],
    insert: [] as number[],
  };
  const timed = async <T>(into: number[], work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    into.push(performance.now() - start);
    return result;
  };
  let found = 0;
  for (let query = 0; query < QUERIES; query += 1) {
    const error = lesson(Math.floor((query * lessons) / QUERIES), query + 1).error;
    const vector = embedHashed(signatureOf(error, "python"), weights);
    const before = process.cpuUsage();
    await timed(times.search, () => memory.find({ kind: "lesson", error, for: "any", limit: 5 }));
    const { user, system } = process.cpuUsage(before);
    times.searchCpu.push((user + system) / 1000);
    const near = await timed(times.nearest, () => index.nearest(vector, filter, 10));
    if (query % 5 === 0) {
      await using fresh = await buildMemory(file);
      const cold = new SqliteMemoryIndex(fresh.store);
      await timed(times.cold, () => cold.nearest(vector, filter, 10));
    }
    if (query % 5 !== 0) continue;
    const exact = await timed(times.scan, () => scan(store, vector.model, vector.values));
    found += exact.filter((id) => near.some((hit) => hit.id === id)).length / exact.length;
  }
  for (let at = 0; at < INSERTS; at += 1) {
    await timed(times.insert, () => memory.keep([lesson(10_000_000 + lessons * 100 + at)]));
  }
  return {
    lessons,
    search: median(times.search),
    searchCpu: median(times.searchCpu),
    nearest: median(times.nearest),
    cold: median(times.cold),
    scan: median(times.scan),
    insert: median(times.insert),
    recall: found / Math.ceil(QUERIES / 5),
  };
}

/** What there is without an index: every vector read and compared. */
async function scan(store: BuiltMemory["store"], model: string, values: Float32Array): Promise<string[]> {
  const { rows } = await sql<{ id: string; vector: Uint8Array }>`select e.id, v.vector from memory_vectors v
    join memory_entries e on e.number = v.entry where v.model = ${model}`.execute(store.read);
  const scored = rows.map(({ id, vector }) => ({
    id,
    score: dot(values, new Float32Array(new Uint8Array(vector).buffer)),
  }));
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .map(({ id }) => id);
}

/** Made-up errors: one of some hundred messages, with words of which few are frequent and most are rare. */
export function lesson(number: number, variant = 0) {
  const random = generator(number);
  const name = () => word(random);
  const kind = CLASSES[Math.floor(random() * CLASSES.length)] ?? "Error";
  const cause = generator(Math.floor(random() * 400));
  const message = Array.from({ length: 6 }, () => word(cause)).join(" ");
  const own = Array.from({ length: 4 }, name).join(" ");
  return {
    id: `b${number}`,
    scope: "global" as const,
    language: "python",
    error: `Traceback (most recent call last):\n  File "/srv/${name()}.py", line ${number % 900}, in ${name()}${variant}\n${kind}: ${message} ${own}${variant === 0 ? "" : ` ${name()}`}`,
  };
}

const CLASSES = [
  "KeyError",
  "TypeError",
  "ValueError",
  "IndexError",
  "RuntimeError",
  "OSError",
  "ImportError",
  "AttributeError",
];
const SYLLABLES = ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu", "sha"];

function word(random: () => number): string {
  let rank = Math.floor(20_000 ** random());
  let text = "";
  do {
    text += SYLLABLES[rank % SYLLABLES.length] ?? "";
    rank = Math.floor(rank / SYLLABLES.length);
  } while (rank > 0);
  return text;
}

function generator(seed: number): () => number {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (import.meta.main) {
  const most = Number(process.argv[2] ?? SIZES.at(-1));
  const directory = mkdtempSync(join(tmpdir(), "miracle-memory-"));
  try {
    const figures = await measureMemorySearch(
      SIZES.filter((size) => size <= most),
      join(directory, "miracle.db"),
    );
    const number = (value: number) => value.toFixed(2).padStart(9);
    process.stdout.write("  lessons   search (cpu)  nearest     cold     scan   insert   recall@10   (ms, medians)\n");
    for (const { lessons, search, searchCpu, nearest, cold, scan: plain, insert, recall } of figures) {
      const cells = [search, searchCpu, nearest, cold, plain, insert, recall].map(number).join("");
      process.stdout.write(`${String(lessons).padStart(9)}${cells}\n`);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
