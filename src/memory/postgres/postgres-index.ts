import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Store } from "../../store/store.ts";
import type { Tables } from "../../store/tables.ts";
import type { IndexEntry, IndexFilter, IndexHit, MemoryIndex, StoredVector, Vector } from "../memory-index.ts";
import { shelfOf, shelvesFor } from "../shelves.ts";
import { SKETCH_BITS } from "../sketch.ts";
import { type SketchDialect, SketchedRows } from "../sketched-rows.ts";
import { countByModel, type VectorRows } from "../vector-rows.ts";
import { uniqueWords } from "../words.ts";
import { PgvectorRows } from "./pgvector-rows.ts";
import { SharedWords } from "./shared-words.ts";

/**
 * The index on a PostgreSQL server. Words use text vectors. Similarity uses pgvector with HNSW or, without it, the
 * method of the embedded index.
 */
export class PostgresMemoryIndex implements MemoryIndex {
  readonly #store: Store;
  readonly #words: SharedWords;
  #vectors: Promise<VectorRows> | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.#words = new SharedWords(store);
  }

  async prepare(): Promise<void> {
    const schema = await this.#extension();
    if (await this.#isReady(schema !== undefined)) return;
    await this.#store.write(
      async (tx) => {
        for (const statement of TABLES) await sql.raw(statement).execute(tx);
        if (schema === undefined) return;
        await sql`alter table memory_vectors add column if not exists embedding ${sql.id(schema)}.vector,
          add column if not exists bits bit(${sql.lit(SKETCH_BITS)})`.execute(tx);
        await new PgvectorRows(this.#store, schema).takeOver(tx);
      },
      { alone: true },
    );
    this.#vectors = undefined;
  }

  async add(tx: Transaction<Tables>, entry: IndexEntry): Promise<void> {
    await this.remove(tx, [entry.id]);
    const shelf = shelfOf(entry.kind, entry.audience);
    const words = uniqueWords(entry.words.split(" "));
    await this.#words.count(tx, words, 1);
    const { rows } = await sql<{ number: number }>`insert into memory_entries (id, shelf, words)
      values (${entry.id}, ${shelf}, array_to_tsvector(string_to_array(${words.join(" ")}, ' '))) returning number`.execute(
      tx,
    );
    const vectors = await this.#vectorRows();
    for (const vector of entry.vectors) await vectors.add(tx, { entry: rows[0]?.number ?? 0, shelf, vector });
  }

  async remove(tx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const { rows } = await sql<{ number: number; words: string }>`delete from memory_entries where id = ${id}
        returning number, array_to_string(tsvector_to_array(words), ' ') as words`.execute(tx);
      for (const { number, words } of rows) {
        await sql`delete from memory_vectors where entry = ${number}`.execute(tx);
        await this.#words.count(tx, uniqueWords(words.split(" ")), -1);
      }
    }
  }

  async nearest(vector: Vector, filter: IndexFilter, k: number): Promise<IndexHit[]> {
    return (await this.#vectorRows()).nearest(vector, await this.#shelves(filter), k);
  }

  async search(words: readonly string[], filter: IndexFilter, k: number): Promise<IndexHit[]> {
    return this.#words.search(words, await this.#shelves(filter), k);
  }

  async similarities(vector: Vector, ids: readonly string[]): Promise<IndexHit[]> {
    return (await this.#vectorRows()).similarities(vector, ids);
  }

  async vectors(models: readonly string[], ids: readonly string[]): Promise<StoredVector[]> {
    return (await this.#vectorRows()).vectors(models, ids);
  }

  models(): Promise<Record<string, number>> {
    return countByModel(this.#store);
  }

  #shelves(filter: IndexFilter): Promise<string[]> {
    // Jumps from shelf to shelf instead of reading every row.
    return shelvesFor(filter, async (after, before) => {
      const next = (last: RawBuilder<unknown>) => sql`(select shelf from memory_entries
        where shelf > ${last} and shelf < ${before} order by shelf limit 1)`;
      const { rows } = await sql<{ shelf: string }>`with recursive shelves (shelf) as (${next(sql`${after}`)}
        union all select ${next(sql`shelves.shelf`)} from shelves where shelf is not null)
        select shelf from shelves where shelf is not null`.execute(this.#store.read);
      return rows.map(({ shelf }) => shelf);
    });
  }

  /** The column decides, not the extension: the tables may have been prepared before the extension was installed. */
  #vectorRows(): Promise<VectorRows> {
    this.#vectors ??= this.#hasColumn().then(async (has) => {
      const schema = has ? await this.#installed() : undefined;
      return schema === undefined ? new SketchedRows(this.#store, DIALECT) : new PgvectorRows(this.#store, schema);
    });
    return this.#vectors;
  }

  async #isReady(withExtension: boolean): Promise<boolean> {
    const { rows } = await sql<{
      there: string | null;
    }>`select to_regclass('memory_word_counts')::text as there`.execute(this.#store.read);
    return rows[0]?.there != null && (!withExtension || (await this.#hasColumn()));
  }

  async #hasColumn(): Promise<boolean> {
    const { rows } = await sql`select 1 from pg_attribute where attrelid = to_regclass('memory_vectors')
      and attname = 'bits' and not attisdropped`.execute(this.#store.read);
    return rows.length > 0;
  }

  /** The schema that holds pgvector. Installs it if the server has it and this user may. */
  async #extension(): Promise<string | undefined> {
    const installed = await this.#installed();
    if (installed !== undefined) return installed;
    const { rows } = await sql`select 1 from pg_available_extensions where name = 'vector'`.execute(this.#store.read);
    if (rows.length === 0) return undefined;
    try {
      await this.#store.write((tx) => sql`create extension if not exists vector`.execute(tx), { alone: true });
    } catch {
      // This user may not install it. `doctor` says what is lost.
      return undefined;
    }
    return this.#installed();
  }

  /** Only a version with HNSW on bits, 0.7 or newer. An older one counts as absent. */
  async #installed(): Promise<string | undefined> {
    const { rows } = await sql<{ schema: string }>`select n.nspname as schema from pg_extension e
      join pg_namespace n on n.oid = e.extnamespace join pg_opclass o on o.opcnamespace = n.oid
      where e.extname = 'vector' and o.opcname = 'bit_hamming_ops'`.execute(this.#store.read);
    return rows[0]?.schema;
  }
}

/** For servers without the extension. */
const DIALECT: SketchDialect = {
  candidates: { each: 10, least: 400, all: 2000 },
  hasNumber: (column, numbers) => sql`${column} = any(${`{${numbers.join(",")}}`}::bigint[])`,
  hasText: (column, texts) => sql`${column} in (${sql.join(texts)})`,
  model: sql`v.model`,
};

/** Numbers are never reused, so that the stale sketch of a removed vector in a pack finds nothing. */
const TABLES = [
  `create table if not exists memory_entries (number bigint generated always as identity primary key,
    id text collate "C" not null unique, shelf text collate "C" not null, words tsvector not null)`,
  "create index if not exists memory_entries_by_shelf on memory_entries (shelf)",
  "create index if not exists memory_entries_by_words on memory_entries using gin (words) with (fastupdate = off)",
  `create table if not exists memory_word_counts (word text collate "C" primary key, entries bigint not null)`,
  `create table if not exists memory_vectors (number bigint generated always as identity primary key, entry bigint not null,
    model text collate "C" not null, shelf text collate "C" not null, sketch bytea, vector bytea)`,
  "create index if not exists memory_vectors_by_shelf on memory_vectors (model, shelf, number)",
  "create index if not exists memory_vectors_of_entry on memory_vectors (entry)",
  `create table if not exists memory_packs (number bigint generated always as identity primary key, model text collate "C" not null,
    shelf text collate "C" not null, last bigint not null, count bigint not null, numbers bytea not null, sketches bytea not null)`,
  "create index if not exists memory_packs_by_shelf on memory_packs (model, shelf, last)",
];
