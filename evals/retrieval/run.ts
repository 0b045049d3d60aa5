// Finding a past error again: `node evals/retrieval/run.ts`. Each record is once the query; those of the same cause should come first.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FeatureWeights } from "../../src/memory/embed/feature-weights.ts";
import { countedOf, embedHashed } from "../../src/memory/embed/hashed.ts";
import { hasSentenceModel, sentenceModel } from "../../src/memory/embed/sentence-model.ts";
import { dot } from "../../src/memory/embed/unit-length.ts";
import { findByError, searchWords } from "../../src/memory/find.ts";
import type { IndexFilter, Vector } from "../../src/memory/memory-index.ts";
import { type Signature, signatureOf } from "../../src/memory/signature/signature.ts";
import { SqliteMemoryIndex } from "../../src/memory/sqlite-index.ts";
import { meaningOf } from "../../src/memory/text-vectors.ts";
import { wordsOf } from "../../src/memory/words.ts";
import { sqliteDialect } from "../../src/store/sqlite.ts";
import { Store } from "../../src/store/store.ts";
import { comparedWith } from "./compared.ts";
import { type ErrorRecord, readRecords, type Split } from "./records.ts";
import { type Ranked, type Scores, scoresOf } from "./scores.ts";

/** The best first, without the query itself. */
type Rank = (query: ErrorRecord) => Promise<string[]>;

const FILTER: IndexFilter = { kind: "lesson", audiences: "any" };
const DEPTH = 40;

/** Queries are of one split; what is searched are the records of both, so that the other half's are in the way. */
export async function measure(records: readonly ErrorRecord[], split: Split): Promise<Record<string, Scores>> {
  const ranked = await rankings(records, split);
  return Object.fromEntries(Object.entries(ranked).map(([name, of]) => [name, scoresOf(of)]));
}

async function rankings(records: readonly ErrorRecord[], split: Split): Promise<Record<string, Ranked[]>> {
  const place = mkdtempSync(join(tmpdir(), "miracle-retrieval-"));
  try {
    await using raw = await Store.open(sqliteDialect(join(place, "raw.db")));
    await using plain = await Store.open(sqliteDialect(join(place, "plain.db")));
    await using store = await Store.open(sqliteDialect(join(place, "signatures.db")));
    const signatures = new Map(records.map((record) => [record.id, signatureOf(record.error, record.language)]));
    const signature = (record: ErrorRecord) => signatures.get(record.id) ?? signatureOf(record.error, record.language);
    const weights = FeatureWeights.learn(
      1,
      records.map((record) => countedOf(signature(record))),
    );
    const rawIndex = await fill(raw, records, (record) => ({ words: wordsOf(record.error), vectors: [] }));
    const plainIndex = await fill(plain, records, (record) => ({
      words: wordsOf(signature(record).text),
      vectors: [],
    }));
    const meanings = await meaningsOf(records, signature);
    const meaning = (record: ErrorRecord) => meanings.get(record.id) ?? null;
    const index = await fill(store, records, (record) => ({
      words: searchWords(signature(record)),
      vectors: [
        embedHashed(signature(record), FeatureWeights.none),
        embedHashed(signature(record), weights),
        ...[meaning(record)].filter((vector) => vector !== null),
      ],
    }));
    const vectors = new Map<string, Vector>();
    const embedded = (record: ErrorRecord, by: FeatureWeights): Vector => {
      const key = `${by.version} ${record.id}`;
      const vector = vectors.get(key) ?? embedHashed(signature(record), by);
      vectors.set(key, vector);
      return vector;
    };
    const hashed =
      (by: FeatureWeights): Rank =>
      async (query) => {
        const vector = embedded(query, by);
        const scored = records.map((record) => ({
          id: record.id,
          score: dot(vector.values, embedded(record, by).values),
        }));
        return scored.sort((a, b) => b.score - a.score).map(({ id }) => id);
      };
    const hybrid =
      (read: typeof meaning): Rank =>
      async (query) => {
        const vector = read(query);
        const meaning = vector && { model: vector.model, read: async () => vector };
        const known = { weights, total: records.length };
        return ids(await findByError(index, signature(query), meaning, known, FILTER, DEPTH));
      };
    const ids = (hits: readonly { id: string }[]) => hits.map(({ id }) => id);
    const ways: Record<string, Rank> = {
      "full text, raw": async (query) => ids(await rawIndex.search(wordsOf(query.error), FILTER, DEPTH)),
      "full text": async (query) => ids(await plainIndex.search(wordsOf(signature(query).text), FILTER, DEPTH)),
      "full text, pairs": async (query) => ids(await index.search(searchWords(signature(query)), FILTER, DEPTH)),
      hashed: hashed(FeatureWeights.none),
      "hybrid, no model": hybrid(() => null),
      ...(meanings.size > 0 && {
        "sentence model": async (query) => {
          const vector = meaning(query);
          return vector === null ? [] : ids(await index.nearest(vector, FILTER, DEPTH));
        },
        hybrid: hybrid(meaning),
      }),
    };
    const ranked: Record<string, Ranked[]> = {};
    for (const [name, rank] of Object.entries(ways)) ranked[name] = await ask(records, split, rank);
    return ranked;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** What the sentence model, where it is installed, makes of each error. */
async function meaningsOf(records: readonly ErrorRecord[], signature: (record: ErrorRecord) => Signature) {
  const meanings = new Map<string, Vector>();
  if (!hasSentenceModel()) return meanings;
  const model = sentenceModel();
  for (const record of records) {
    const vector = await meaningOf(model, signature(record))?.read();
    if (vector) meanings.set(record.id, vector);
  }
  return meanings;
}

/** A description as the query, lessons' reasons as what is searched: words, hashed words, and the sentence model. */
async function measureProse(records: readonly ErrorRecord[], split: Split): Promise<Record<string, Scores>> {
  const causes = [...new Map(records.map((record) => [record.cause, record])).values()];
  const model = sentenceModel();
  const fixes = await model.embed(causes.map(({ fix }) => fix));
  const asks = await model.embed(causes.map(({ ask }) => ask));
  const prose = (text: string) => ({ errorType: "unknown", lines: [{ role: "error" as const, text }] });
  const shared = (ask: string, fix: string) => {
    const words = new Set(wordsOf(fix));
    return new Set(wordsOf(ask).filter((word) => words.has(word))).size;
  };
  const ranked = (score: (query: number, at: number) => number): Ranked[] =>
    causes.flatMap((cause, query) => {
      if (cause.split !== split) return [];
      const order = causes.map((_, at) => ({ at, score: score(query, at) })).sort((a, b) => b.score - a.score);
      return [{ relevant: order.map(({ at }) => at === query), total: 1 }];
    });
  const hashedFixes = causes.map(({ fix }) => embedHashed(prose(fix), FeatureWeights.none).values);
  const hashedAsks = causes.map(({ ask }) => embedHashed(prose(ask), FeatureWeights.none).values);
  return {
    "shared words": scoresOf(ranked((query, at) => shared(causes[query]?.ask ?? "", causes[at]?.fix ?? ""))),
    hashed: scoresOf(ranked((query, at) => dot(hashedAsks[query] ?? EMPTY, hashedFixes[at] ?? EMPTY))),
    "sentence model": scoresOf(ranked((query, at) => dot(asks[query]?.values ?? EMPTY, fixes[at]?.values ?? EMPTY))),
  };
}

const EMPTY = new Float32Array();

async function ask(records: readonly ErrorRecord[], split: Split, rank: Rank): Promise<Ranked[]> {
  const causes = new Map(records.map(({ id, cause }) => [id, cause]));
  const ranked: Ranked[] = [];
  for (const query of records.filter((record) => record.split === split)) {
    const others = (await rank(query)).filter((id) => id !== query.id);
    const total = records.filter((record) => record.cause === query.cause).length - 1;
    const relevant = others.map((id) => causes.get(id) === query.cause);
    if (total > 0) ranked.push({ relevant, total, cause: query.cause });
  }
  return ranked;
}

type Indexed = Pick<Parameters<SqliteMemoryIndex["add"]>[1], "vectors"> & { words: string[] };

async function fill(
  store: Store,
  records: readonly ErrorRecord[],
  of: (record: ErrorRecord) => Indexed,
): Promise<SqliteMemoryIndex> {
  const index = new SqliteMemoryIndex(store);
  await index.prepare();
  await store.write(async (tx) => {
    for (const record of records) {
      const { words, vectors } = of(record);
      await index.add(tx, { id: record.id, kind: "lesson", audience: "global", words: words.join(" "), vectors });
    }
  });
  return index;
}

function table(scores: Record<string, Scores>): string {
  const number = (value: number) => value.toFixed(3).replace(/^0/, "").padStart(7);
  const lines = Object.entries(scores).map(
    ([name, { hit1, hit5, recall5, ndcg10 }]) =>
      `${name.padEnd(20)}${[hit1, hit5, recall5, ndcg10].map(number).join(" ")}`,
  );
  return [`${"".padEnd(20)}  hit@1   hit@5  recall@5 nDCG@10`, ...lines].join("\n");
}

if (import.meta.main) {
  const pooled: Record<string, Ranked[]> = {};
  const only = (["second", "third"] as const).find((set) => process.argv.includes(`--${set}`));
  for (const set of only ? [only] : (["first", "second", "third"] as const)) {
    const records = readRecords(set);
    const causes = new Set(records.map(({ cause }) => cause)).size;
    process.stdout.write(`${set} set: ${records.length} records, ${causes} causes\n\n`);
    for (const split of ["tune", "report"] as const) {
      const of = records.filter((record) => record.split === split);
      if (of.length === 0 || (process.argv.includes("--tune") && split !== "tune")) continue;
      const ranked = await rankings(records, split);
      const scores = Object.fromEntries(Object.entries(ranked).map(([name, of]) => [name, scoresOf(of)]));
      process.stdout.write(
        `${split}: ${of.length} records, ${new Set(of.map(({ cause }) => cause)).size} causes\n${table(scores)}\n\n`,
      );
      for (const [name, of] of Object.entries(ranked)) pooled[name] = [...(pooled[name] ?? []), ...of];
      if (!hasSentenceModel()) continue;
      process.stdout.write(
        `${split}, prose: one description for each cause\n${table(await measureProse(records, split))}\n\n`,
      );
    }
  }
  process.stdout.write(`all queries together\n${comparedWith("hybrid", pooled)}\n`);
}
