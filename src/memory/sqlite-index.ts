import { sql, type Transaction } from "kysely";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import { dot } from "./embed/unit-length.ts";
import type { IndexEntry, IndexFilter, IndexHit, MemoryIndex, StoredVector, Vector } from "./memory-index.ts";
import { nearestSketches, type Pack, sketchOf } from "./sketch.ts";
import { SketchPacks } from "./sketch-packs.ts";

/** How many are compared exactly for each that is wanted, and at least. */
const CANDIDATES_EACH = 5;
const CANDIDATES = 200;
/** More words than these say nothing new and cost time. */
const MOST_QUERY_WORDS = 64;

/**
 * The index in the embedded database: FTS5 for words; for vectors the exact values in a row each, and sketches of 64
 * bytes that are scanned whole. A **shelf** holds what can be wanted together: one kind of one audience.
 */
export class SqliteMemoryIndex implements MemoryIndex {
  readonly #store: Store;
  readonly #packs: SketchPacks;

  constructor(store: Store) {
    this.#store = store;
    this.#packs = new SketchPacks(store);
  }

  async prepare(): Promise<void> {
    const { rows } = await sql`select 1 from sqlite_master where name = 'memory_words'`.execute(this.#store.read);
    if (rows.length > 0) return;
    await this.#store.write(async (tx) => {
      for (const statement of TABLES) await sql.raw(statement).execute(tx);
    });
  }

  async add(tx: Transaction<Tables>, entry: IndexEntry): Promise<void> {
    await this.remove(tx, [entry.id]);
    const shelf = shelfOf(entry.kind, entry.audience);
    const { rows } = await sql<{ number: number }>`insert into memory_entries (id, shelf) values (${entry.id}, ${shelf})
      returning number`.execute(tx);
    const number = rows[0]?.number ?? 0;
    await sql`insert into memory_words (rowid, words) values (${number}, ${entry.words})`.execute(tx);
    for (const { model, values } of entry.vectors) {
      await sql`insert into memory_vectors (entry, model, shelf, sketch, vector)
        values (${number}, ${model}, ${shelf}, ${sketchOf(values)}, ${toBytes(values)})`.execute(tx);
      await this.#packs.sealFull(tx, model, shelf);
    }
  }

  async remove(tx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const { rows } = await sql<{
        number: number;
      }>`delete from memory_entries where id = ${id} returning number`.execute(tx);
      for (const { number } of rows) {
        await sql`delete from memory_words where rowid = ${number}`.execute(tx);
        await sql`delete from memory_vectors where entry = ${number}`.execute(tx);
      }
    }
  }

  async nearest(vector: Vector, filter: IndexFilter, k: number): Promise<IndexHit[]> {
    const packs: Pack[] = [];
    for (const shelf of await this.#shelves(filter)) packs.push(...(await this.#packs.of(vector.model, shelf)));
    const wanted = Math.max(CANDIDATES, k * CANDIDATES_EACH);
    const numbers = nearestSketches(sketchOf(vector.values), packs, wanted);
    // What was removed is still in its pack, and is not found here.
    const { rows } = await sql<{ id: string; vector: Uint8Array }>`select e.id, v.vector from memory_vectors v
      join memory_entries e on e.number = v.entry
      where v.number in (select value from json_each(${JSON.stringify(numbers)}))`.execute(this.#store.read);
    const hits = rows.map((row) => ({ id: row.id, score: dot(vector.values, toValues(row.vector)) }));
    return hits.sort(byScore).slice(0, k);
  }

  async search(words: readonly string[], filter: IndexFilter, k: number): Promise<IndexHit[]> {
    const query = [...new Set(words)].slice(0, MOST_QUERY_WORDS).map((word) => `"${word.replaceAll('"', "")}"`);
    const shelves = await this.#shelves(filter);
    if (query.length === 0 || shelves.length === 0) return [];
    const { rows } = await sql<IndexHit>`select e.id, -w.rank as score from memory_words w
      join memory_entries e on e.number = w.rowid
      where w.words match ${query.join(" OR ")} and e.shelf in (${sql.join(shelves)})
      order by w.rank limit ${k}`.execute(this.#store.read);
    return rows;
  }

  async similarities(vector: Vector, ids: readonly string[]): Promise<IndexHit[]> {
    const { rows } = await sql<{ id: string; vector: Uint8Array }>`select e.id, v.vector from memory_entries e
      join memory_vectors v on v.entry = e.number
      where e.id in (select value from json_each(${JSON.stringify(ids)})) and +v.model = ${vector.model}`.execute(
      this.#store.read,
    );
    return rows.map((row) => ({ id: row.id, score: dot(vector.values, toValues(row.vector)) }));
  }

  async vectors(models: readonly string[], ids: readonly string[]): Promise<StoredVector[]> {
    const { rows } = await sql<{ id: string; model: string; vector: Uint8Array }>`select e.id, v.model, v.vector
      from memory_entries e join memory_vectors v on v.entry = e.number
      where e.id in (select value from json_each(${JSON.stringify(ids)}))
        and +v.model in (select value from json_each(${JSON.stringify(models)}))`.execute(this.#store.read);
    return rows.map(({ id, model, vector }) => ({ id, vector: { model, values: toValues(vector) } }));
  }

  async models(): Promise<Record<string, number>> {
    const { rows } = await sql<{ model: string; count: number }>`select model, count(*) as count from memory_vectors
      group by model order by model`.execute(this.#store.read);
    return Object.fromEntries(rows.map(({ model, count }) => [model, count]));
  }

  async #shelves({ kind, audiences }: IndexFilter): Promise<string[]> {
    if (audiences !== "any") return [...new Set(audiences)].map((audience) => shelfOf(kind, audience));
    // From shelf to shelf, and not through all that stands on them.
    const shelves: string[] = [];
    for (let last = `${kind}/`; ; ) {
      const { rows } = await sql<{ shelf: string | null }>`select min(shelf) as shelf from memory_entries
        where shelf > ${last} and shelf < ${`${kind}0`}`.execute(this.#store.read);
      const next = rows[0]?.shelf ?? null;
      if (next === null) return shelves;
      shelves.push(next);
      last = next;
    }
  }
}

/** Numbers are never used twice, so that what a pack still holds of a removed vector leads nowhere. */
const TABLES = [
  `create table if not exists memory_entries (number integer primary key autoincrement, id text not null unique, shelf text not null)`,
  `create index if not exists memory_entries_by_shelf on memory_entries (shelf)`,
  `create virtual table if not exists memory_words using fts5 (words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 tokenchars '_$'")`,
  `create table if not exists memory_vectors (number integer primary key autoincrement, entry integer not null, model text not null,
    shelf text not null, sketch blob not null, vector blob not null)`,
  `create index if not exists memory_vectors_by_shelf on memory_vectors (model, shelf, number)`,
  `create index if not exists memory_vectors_of_entry on memory_vectors (entry)`,
  `create table if not exists memory_packs (number integer primary key autoincrement, model text not null, shelf text not null,
    last integer not null, count integer not null, numbers blob not null, sketches blob not null)`,
  `create index if not exists memory_packs_by_shelf on memory_packs (model, shelf, last)`,
];

const shelfOf = (kind: string, audience: string): string => `${kind}/${audience}`;

const byScore = (a: IndexHit, b: IndexHit): number => b.score - a.score || (a.id < b.id ? -1 : 1);

const toBytes = (values: Float32Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** A database's buffer need not lie at a multiple of four. */
function toValues(bytes: Uint8Array): Float32Array {
  if (bytes.byteOffset % 4 === 0) return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  return new Float32Array(new Uint8Array(bytes).buffer);
}
