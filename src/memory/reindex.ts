import type { Lesson } from "../domain/memory/lesson.ts";
import type { Pattern } from "../domain/memory/pattern.ts";
import type { Store } from "../store/store.ts";
import { FeatureWeights } from "./embed/feature-weights.ts";
import { entryOf, featureSet } from "./entry-of.ts";
import type { MemoryIndex, Vector } from "./memory-index.ts";
import { recordsOf } from "./records-of.ts";
import type { StoredWeights } from "./stored-weights.ts";

export interface ReindexParts {
  store: Store;
  index: MemoryIndex;
  weights: StoredWeights;
  clock(): number;
  /** The vectors of a sentence model, new or already stored. */
  textVectors(records: readonly (Lesson | Pattern)[]): Promise<Map<string, Vector[]>>;
}

const BATCH = 200;

/**
 * Makes every vector again, with weights learnt anew. It works in batches, so that others can write meanwhile, and may
 * be stopped at any moment. First each record gets vectors of both the old and the new weights. Then one transaction
 * puts the new weights into force and gives such vectors to records written meanwhile. Then the old vectors are
 * removed.
 */
export async function reindex(parts: ReindexParts, onProgress: (done: number) => void): Promise<number> {
  const { store, index, weights } = parts;
  const before = await weights.current(store.read);
  const after = FeatureWeights.learn(before.version + 1, await allFeatures(store));
  const seen = new Map<string, number>();
  let done = 0;
  const put = async (records: (Lesson | Pattern)[], versions: FeatureWeights[]) => {
    const vectors = await parts.textVectors(records);
    await store.write(
      async (tx) => {
        for (const record of records) {
          // Another process may have deleted or disabled the record while its prose was embedded.
          const table = record.kind === "lesson" ? "failures" : "patterns";
          const row = await tx.selectFrom(table).select("status").where("id", "=", record.id).executeTakeFirst();
          if (row?.status === "active") await index.add(tx, entryOf(record, versions, vectors.get(record.id) ?? []));
        }
      },
      { durable: false },
    );
  };
  for await (const batch of batches(store)) {
    await put(batch, [before, after]);
    for (const { id, updatedAt } of batch) seen.set(id, updatedAt);
    done += batch.length;
    onProgress(done);
  }
  await store.write(async (tx) => {
    if ((await weights.current(tx)).version !== before.version) return;
    for await (const record of recordsOf(tx, { status: "active" })) {
      if (seen.get(record.id) !== record.updatedAt) await index.add(tx, entryOf(record, [before, after], []));
    }
    await weights.put(tx, after, parts.clock());
  });
  const current = await weights.current(store.read);
  for await (const batch of batches(store)) await put(batch, [current]);
  return done;
}

async function allFeatures(store: Store): Promise<Set<number>[]> {
  const features: Set<number>[] = [];
  for await (const record of recordsOf(store.read, { kind: "lesson", status: "active" })) {
    if (record.kind === "lesson") features.push(featureSet(record));
  }
  return features;
}

async function* batches(store: Store): AsyncGenerator<(Lesson | Pattern)[]> {
  let batch: (Lesson | Pattern)[] = [];
  for await (const record of recordsOf(store.read, { status: "active" })) {
    batch.push(record);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
