import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import type { IndexEntry, IndexFilter, IndexHit, MemoryIndex, StoredVector, Vector } from "./memory-index.ts";
import { shelfOf, shelvesFor } from "./shelves.ts";
import { type SketchDialect, SketchedRows } from "./sketched-rows.ts";
import { countByModel } from "./vector-rows.ts";
import { queryWords } from "./words.ts";

/**
 * The index in the embedded database: FTS5 for words, and `SketchedRows` for vectors.
 */
export class SqliteMemoryIndex implements MemoryIndex {
  readonly #store: Store;
  readonly #vectors: SketchedRows;

  constructor(store: Store) {
    this.#store = store;
    this.#vectors = new SketchedRows(store, DIALECT);
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
    for (const vector of entry.vectors) await this.#vectors.add(tx, { entry: number, shelf, vector });
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
    return this.#vectors.nearest(vector, await this.#shelves(filter), k);
  }

  async search(words: readonly string[], filter: IndexFilter, k: number): Promise<IndexHit[]> {
    const query = queryWords(words).map((word) => `"${word.replaceAll('"', "")}"`);
    const shelves = await this.#shelves(filter);
    if (query.length === 0 || shelves.length === 0) return [];
    const { rows } = await sql<IndexHit>`select e.id, -w.rank as score from memory_words w
      join memory_entries e on e.number = w.rowid
      where w.words match ${query.join(" OR ")} and e.shelf in (${sql.join(shelves)})
      order by w.rank limit ${k}`.execute(this.#store.read);
    return rows;
  }

  similarities(vector: Vector, ids: readonly string[]): Promise<IndexHit[]> {
    return this.#vectors.similarities(vector, ids);
  }

  vectors(models: readonly string[], ids: readonly string[]): Promise<StoredVector[]> {
    return this.#vectors.vectors(models, ids);
  }

  models(): Promise<Record<string, number>> {
    return countByModel(this.#store);
  }

  #shelves(filter: IndexFilter): Promise<string[]> {
    // Jumps from shelf to shelf instead of reading every row.
    return shelvesFor(filter, async (after, before) => {
      const shelves: string[] = [];
      for (let last = after; ; ) {
        const { rows } = await sql<{ shelf: string | null }>`select min(shelf) as shelf from memory_entries
          where shelf > ${last} and shelf < ${before}`.execute(this.#store.read);
        const next = rows[0]?.shelf ?? null;
        if (next === null) return shelves;
        shelves.push(next);
        last = next;
      }
    });
  }
}

const isIn = (column: RawBuilder<unknown>, values: readonly unknown[]) =>
  sql`${column} in (select value from json_each(${JSON.stringify(values)}))`;

const DIALECT: SketchDialect = {
  candidates: { each: 5, least: 200, all: 0 },
  hasNumber: isIn,
  hasText: isIn,
  model: sql`+v.model`,
};

/** Numbers are never reused, so that the stale sketch of a removed vector in a pack finds nothing. */
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
