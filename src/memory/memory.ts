import type { Lesson } from "../domain/memory/lesson.ts";
import { audienceOf, type MemoryKind, MemoryScope, type MemoryStatus } from "../domain/memory/memory-record.ts";
import type { Pattern } from "../domain/memory/pattern.ts";
import type { Store } from "../store/store.ts";
import type { CleanText } from "./clean-text.ts";
import type { Embedder } from "./embed/embedder.ts";
import { entryOf } from "./entry-of.ts";
import { type Found, findByError, findByProse } from "./find.ts";
import { findAtOnce } from "./find-at-once.ts";
import { type Kept, keepRecord, saysSomething } from "./keep-record.ts";
import { keptBefore, noteKept } from "./kept-once.ts";
import type { IndexFilter, MemoryIndex, Vector } from "./memory-index.ts";
import { toLesson, toPattern } from "./memory-rows.ts";
import { makeLesson, makePattern, type NewLesson, type NewPattern } from "./new-record.ts";
import { recordsOf } from "./records-of.ts";
import { type ReindexParts, reindex } from "./reindex.ts";
import { signatureOf } from "./signature/signature.ts";
import { StoredWeights } from "./stored-weights.ts";
import { TextReader } from "./text-reader.ts";

export interface MemoryParts {
  store: Store;
  index: MemoryIndex;
  /** Null: prose is found by its words alone. */
  prose: Embedder | null;
  clean: CleanText;
  clock(): number;
  newId(): string;
  /** Told about lesser problems, for example an embedder that did not answer. The record is kept anyway. */
  warn(message: string): void;
  mostRecords: number;
}

export interface Sought {
  kind: MemoryKind;
  /** An error is found by its signature, prose by its meaning. */
  error?: string;
  prose?: string;
  /** Find prose by its words only. No model is loaded or asked. */
  atOnce?: boolean | undefined;
  /**
   * Who asks. The answer holds records for this project, this person, this language, and for everyone. "any" means all
   * records; no person stands for whoever uses this machine.
   */
  for: { project: string; language: string; person?: string } | "any";
  limit: number;
}

export interface KeepOptions {
  /** `own`, or where it was imported from. */
  origin?: string;
  /** The step that learnt it. A step keeps its records once, even if a crash makes it run again. */
  once?: { task: string; step: string };
  /** The same occurrence was kept before. The new fields complete it, and it is not counted again. */
  completes?: boolean;
}

/** Weights are learnt anew when the number of records has doubled. Beyond this limit only `reindex` does it. */
const MOST_AT_ONCE = 5_000;
const FEWEST_TO_LEARN = 32;
const TENDED_EVERY = 25;

/**
 * The knowledge of past failures and successes.
 *
 * Invariants:
 * 1. A record, its words and its vectors change in one transaction.
 * 2. Every text passes through `clean`.
 * 3. One audience has one record of each key.
 */
export class Memory {
  readonly #parts: MemoryParts;
  readonly #weights = new StoredWeights();
  readonly #reader: TextReader;
  #untilTended = 0;
  /** An estimate: it is counted only now and then. */
  #total: number | undefined;

  private constructor(parts: MemoryParts) {
    this.#parts = parts;
    this.#reader = new TextReader(parts, this.#weights);
  }

  static async open(parts: MemoryParts): Promise<Memory> {
    await parts.index.prepare();
    return new Memory(parts);
  }

  /** Loads the model for prose before the first question of this project, unless there is nothing to compare with. */
  async load(project: string, person = ""): Promise<void> {
    const audiences = audiencesFor({ project, language: "", person });
    for (const kind of ["lesson", "pattern"] as const) {
      if (await this.#hasAny({ kind, audiences })) return this.#parts.prose?.load?.();
    }
  }

  /** Keeps what was learnt, in one transaction. A known record counts one more occurrence, and is completed. */
  async keep(given: readonly (NewLesson | NewPattern)[], options: KeepOptions = {}): Promise<Kept[]> {
    const { store, index, clean, clock, newId } = this.#parts;
    const { origin = "own", once, completes = false } = options;
    const from = { origin, trust: origin === "own" ? 1 : 0, at: clock() };
    const made = given.map((one) =>
      one.kind === "pattern"
        ? makePattern(one, clean, { ...from, id: newId() })
        : makeLesson(one, clean, { ...from, id: newId() }),
    );
    // Several tests that are red for one reason are one failure.
    const records = once ? [...new Map(made.map((record) => [record.dedupKey, record])).values()] : made;
    // A task does not wait for a model to load. Unread records are read before the next search with the model.
    const isCold = once !== undefined && this.#reader.isCold;
    const vectors = await this.#reader.read(isCold ? [] : once ? records.filter(saysSomething) : records);
    const kept = await store.write(async (tx) => {
      const done = once && (await keptBefore(tx, once));
      if (done) return done;
      const keeping = { index, newId, weights: await this.#weights.current(tx), completes };
      const results: Kept[] = [];
      for (const record of records) results.push(await keepRecord(tx, keeping, record, vectors.get(record.id) ?? []));
      if (once) await noteKept(tx, once, results, from.at);
      return results;
    });
    await this.#tend(kept.length);
    return kept;
  }

  async find(sought: Sought): Promise<(Found & { record: Lesson | Pattern })[]> {
    const { store, index, prose } = this.#parts;
    this.#total ??= await this.#count();
    const known = { weights: await this.#weights.current(store.read), total: this.#total };
    const filter = { kind: sought.kind, audiences: audiencesFor(sought.for) };
    // A model is not loaded if there is nothing to compare with.
    if (!(await this.#hasAny(filter))) return [];
    if (sought.atOnce) {
      const get = (ids: string[]) => this.get(ids);
      return findAtOnce(this.#parts, sought.prose ?? "", known, filter, sought.limit, get);
    }
    const found: Found[] = [];
    if (sought.error !== undefined && sought.kind === "lesson") {
      const signature = signatureOf(sought.error, sought.for === "any" ? "" : sought.for.language);
      const meaning = this.#reader.meaningOf(signature);
      found.push(...(await findByError(index, signature, meaning, known, filter, sought.limit)));
    } else {
      const text = sought.prose ?? sought.error ?? "";
      await this.#reader.readUnread(filter);
      found.push(...(await findByProse(index, text, prose, known, filter, sought.limit)));
    }
    const records = new Map((await this.get(found.map(({ id }) => id))).map((record) => [record.id, record]));
    return found.flatMap((one) => {
      const record = records.get(one.id);
      return record === undefined ? [] : [{ ...one, record }];
    });
  }

  /** The records with these ids, or with the only ids that begin with them. Unknown ids are left out. */
  async get(ids: readonly string[]): Promise<(Lesson | Pattern)[]> {
    const { store } = this.#parts;
    if (ids.length === 0) return [];
    const lessons = await store.read
      .selectFrom("failures")
      .selectAll()
      .where("id", "in", [...ids])
      .execute();
    const patterns = await store.read
      .selectFrom("patterns")
      .selectAll()
      .where("id", "in", [...ids])
      .execute();
    return [...lessons.map(toLesson), ...patterns.map(toPattern)];
  }

  /** Newest first. */
  list(filter: { kind?: MemoryKind; status?: MemoryStatus; audience?: string } = {}): AsyncGenerator<Lesson | Pattern> {
    return recordsOf(this.#parts.store.read, filter);
  }

  /** Deletes for good. Returns how many records there were. */
  async forget(ids: readonly string[]): Promise<number> {
    const { store, index } = this.#parts;
    return store.write(async (tx) => {
      await index.remove(tx, ids);
      let gone = 0;
      for (const table of ["failures", "patterns"] as const) {
        for (const id of ids) {
          const result = await tx.deleteFrom(table).where("id", "=", id).executeTakeFirst();
          gone += Number(result.numDeletedRows);
        }
      }
      return gone;
    });
  }

  /** Only active records are in the index. */
  async setStatus(id: string, status: MemoryStatus): Promise<void> {
    const { store, index, clock } = this.#parts;
    const [record] = await this.get([id]);
    if (!record) return;
    const changed = { ...record, status, updatedAt: clock() };
    const vectors = status === "active" ? await this.#reader.read([changed]) : new Map<string, Vector[]>();
    await store.write(async (tx) => {
      const table = record.kind === "lesson" ? "failures" : "patterns";
      await tx.updateTable(table).set({ status, updated_at: changed.updatedAt }).where("id", "=", id).execute();
      if (status !== "active") await index.remove(tx, [id]);
      else await index.add(tx, entryOf(changed, [await this.#weights.current(tx)], vectors.get(id) ?? []));
    });
  }

  /** Learns the weights anew and makes every vector again, including those of the sentence model. */
  async reindex(onProgress: (done: number) => void = () => {}): Promise<number> {
    return this.#reindex((records) => this.#reader.read(records), onProgress);
  }

  async stats() {
    const { store, index } = this.#parts;
    const counts = async (table: "failures" | "patterns") =>
      store.read
        .selectFrom(table)
        .select((eb) => ["status", "scope", eb.fn.countAll<number>().as("count")])
        .groupBy(["status", "scope"])
        .execute();
    const weights = await this.#weights.current(store.read);
    return {
      lessons: await counts("failures"),
      patterns: await counts("patterns"),
      vectors: await index.models(),
      weights: { version: weights.version, records: weights.records },
      prose: this.#parts.prose?.model ?? null,
    };
  }

  /**
   * Reduces memory to this many records. Those with the least trust, the fewest occurrences and the longest disuse go.
   */
  async prune(most = this.#parts.mostRecords): Promise<number> {
    const { store } = this.#parts;
    const lessons = await this.#count();
    const surplus = lessons - most;
    if (surplus <= 0) return 0;
    const rows = await store.read
      .selectFrom("failures")
      .select("id")
      .orderBy("trust")
      .orderBy("seen")
      .orderBy("updated_at")
      .orderBy("id")
      .limit(surplus)
      .execute();
    for (let at = 0; at < rows.length; at += 500) await this.forget(rows.slice(at, at + 500).map(({ id }) => id));
    return rows.length;
  }

  /** Counting gets slower as memory grows, so it is not done after every record. */
  async #tend(kept: number): Promise<void> {
    this.#untilTended -= kept;
    if (this.#untilTended > 0) return;
    const { mostRecords } = this.#parts;
    this.#untilTended = Math.min(TENDED_EVERY, Math.max(1, Math.floor(mostRecords / 1000)));
    await this.prune();
    await this.#learnWeights();
    this.#total = await this.#count();
  }

  async #count(): Promise<number> {
    const counted = this.#parts.store.read.selectFrom("failures").select((eb) => eb.fn.countAll<number>().as("count"));
    return Number((await counted.executeTakeFirstOrThrow()).count);
  }

  async #hasAny({ kind, audiences }: IndexFilter): Promise<boolean> {
    let query = this.#parts.store.read
      .selectFrom(kind === "lesson" ? "failures" : "patterns")
      .select("id")
      .where("status", "=", "active")
      .limit(1);
    if (audiences !== "any") query = query.where("audience", "in", [...audiences]);
    return (await query.executeTakeFirst()) !== undefined;
  }

  async #learnWeights(): Promise<void> {
    const { store } = this.#parts;
    const weights = await this.#weights.current(store.read);
    const lessons = await this.#count();
    if (lessons < FEWEST_TO_LEARN || lessons > MOST_AT_ONCE || lessons < 2 * weights.records) return;
    await this.#reindex((records) => this.#reader.known(records));
  }

  #reindex(made: ReindexParts["textVectors"], onProgress: (done: number) => void = () => {}): Promise<number> {
    return reindex({ ...this.#parts, weights: this.#weights, textVectors: made }, onProgress);
  }
}

/** The audiences whose records may answer a question of this project, person and language. */
function audiencesFor(who: Sought["for"]): IndexFilter["audiences"] {
  if (who === "any") return "any";
  const { project, language, person = "" } = who;
  return MemoryScope.options.map((scope) =>
    audienceOf({ scope, language, project: scope === "mine" ? person : project }),
  );
}
