import { createHash } from "node:crypto";
import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Store } from "../../store/store.ts";
import type { Tables } from "../../store/tables.ts";
import type { IndexHit, StoredVector, Vector } from "../memory-index.ts";
import { toValues } from "./sketched-rows.ts";
import { byScore, type ShelvedVector, type VectorRows } from "./vector-rows.ts";

/** HNSW takes no longer ones; beyond, every vector is compared. */
const MOST_INDEXED = 2000;

/** On shelves with fewer vectors than this, comparing all of them is as quick and misses none. */
const EXACT_UP_TO = 2000;

/** How many places HNSW keeps in view: more finds more and takes longer. */
const BREADTH = 200;

/**
 * With the extension pgvector: an HNSW index per model, made with its first vector. Vectors have length 1, so the inner
 * product is the cosine, and the cheaper of the two.
 */
export class PgvectorRows implements VectorRows {
  readonly #store: Store;
  /** Where the extension is installed; any schema, not only one on the search path. */
  readonly #schema: string;
  readonly #indexed = new Set<string>();
  readonly #many = new Set<string>();

  constructor(store: Store, schema: string) {
    this.#store = store;
    this.#schema = schema;
  }

  async add(tx: Transaction<Tables>, { entry, shelf, vector }: ShelvedVector): Promise<void> {
    await this.#makeIndex(tx, vector);
    await sql`insert into memory_vectors (entry, model, shelf, embedding)
      values (${entry}, ${vector.model}, ${shelf}, ${this.#literal(vector)})`.execute(tx);
  }

  async nearest(vector: Vector, shelves: readonly string[], k: number): Promise<IndexHit[]> {
    if (shelves.length === 0) return [];
    const model = sql.lit(vector.model);
    const ofShelves = sql`model = ${model} and shelf in (${sql.join(shelves)})`;
    const distance = this.#distance(vector);
    const isFew = await this.#isFew(`${vector.model} ${shelves.join(" ")}`, ofShelves);
    // `materialized` keeps the planner from taking the index for few, where the filter would leave too little of it.
    const near = isFew
      ? sql`with few as materialized (select entry, embedding from memory_vectors where ${ofShelves})
          select entry, ${distance} as distance from few order by distance limit ${k}`
      : sql`select entry, ${distance} as distance from memory_vectors where ${ofShelves} order by distance limit ${k}`;
    if (!isFew) await this.#widen(k);
    const { rows } = await sql<IndexHit>`select e.id, -n.distance as score from (${near}) n
      join memory_entries e on e.number = n.entry`.execute(this.#store.read);
    return rows.sort(byScore);
  }

  async similarities(vector: Vector, ids: readonly string[]): Promise<IndexHit[]> {
    if (ids.length === 0) return [];
    const { rows } = await sql<IndexHit>`select e.id, -${this.#distance(vector)} as score from memory_entries e
      join memory_vectors v on v.entry = e.number
      where e.id in (${sql.join(ids)}) and v.model = ${sql.lit(vector.model)}`.execute(this.#store.read);
    return rows;
  }

  async vectors(models: readonly string[], ids: readonly string[]): Promise<StoredVector[]> {
    if (ids.length === 0 || models.length === 0) return [];
    const { rows } = await sql<{
      id: string;
      model: string;
      text: string;
    }>`select e.id, v.model, v.embedding::text as text
      from memory_entries e join memory_vectors v on v.entry = e.number
      where e.id in (${sql.join(ids)}) and v.model in (${sql.join(models)})`.execute(this.#store.read);
    return rows.map(({ id, model, text }) => ({
      id,
      vector: { model, values: Float32Array.from(text.slice(1, -1).split(","), Number) },
    }));
  }

  /** What has become many is taken to stay so: HNSW finds as well among few. */
  async #isFew(key: string, ofShelves: RawBuilder<unknown>): Promise<boolean> {
    if (this.#many.has(key)) return false;
    const { rows } = await sql<{ count: number }>`select count(*) as count from
      (select 1 from memory_vectors where ${ofShelves} limit ${EXACT_UP_TO + 1}) few`.execute(this.#store.read);
    if ((rows[0]?.count ?? 0) <= EXACT_UP_TO) return true;
    await this.#analyse();
    this.#many.add(key);
    return false;
  }

  /** A planner that has never looked at the table prefers to sort it. */
  async #analyse(): Promise<void> {
    const { rows } = await sql<{ known: number }>`select reltuples as known from pg_class
      where oid = to_regclass('memory_vectors')`.execute(this.#store.read);
    if ((rows[0]?.known ?? 0) < EXACT_UP_TO) await sql`analyze memory_vectors`.execute(this.#store.read);
  }

  /** Takes over what was kept as bytes before the extension came. */
  async takeOver(tx: Transaction<Tables>): Promise<void> {
    for (;;) {
      const { rows } = await sql<{ number: number; model: string; vector: Uint8Array }>`select number, model, vector
        from memory_vectors where embedding is null limit 500`.execute(tx);
      if (rows.length === 0) return;
      for (const { number, model, vector } of rows) {
        const taken = { model, values: toValues(vector) };
        await this.#makeIndex(tx, taken);
        await sql`update memory_vectors set embedding = ${this.#literal(taken)}, vector = null, sketch = null
          where number = ${number}`.execute(tx);
      }
    }
  }

  async #makeIndex(tx: Transaction<Tables>, { model, values }: Vector): Promise<void> {
    if (this.#indexed.has(model) || values.length > MOST_INDEXED) return;
    const name = `memory_near_${createHash("sha256").update(model).digest("hex").slice(0, 16)}`;
    const { rows } =
      await sql`select 1 from pg_indexes where schemaname = current_schema() and indexname = ${name}`.execute(tx);
    if (rows.length === 0) {
      const { schema } = this.#names();
      await sql`create index ${sql.ref(name)} on memory_vectors using hnsw
        ((embedding::${schema}.vector(${sql.lit(values.length)})) ${schema}.vector_ip_ops)
        where model = ${sql.lit(model)}`.execute(tx);
      // Remembered only when seen committed: this transaction may yet be rolled back.
      return;
    }
    this.#indexed.add(model);
  }

  /** Of the session: it may be a new one since the last time. */
  async #widen(k: number): Promise<void> {
    await sql`select set_config('hnsw.ef_search', ${String(Math.min(1000, Math.max(BREADTH, 2 * k)))}, false),
      set_config('hnsw.iterative_scan', 'relaxed_order', false)`.execute(this.#store.read);
  }

  /** The negative inner product, in exactly the words of the index. */
  #distance(vector: Vector): RawBuilder<number> {
    const { schema } = this.#names();
    const type = sql`${schema}.vector(${sql.lit(vector.values.length)})`;
    return sql<number>`(embedding::${type} operator(${schema}.<#>) ${this.#literal(vector)}::${type})`;
  }

  #literal({ values }: Vector): RawBuilder<unknown> {
    return sql`${`[${values.join(",")}]`}::${this.#names().schema}.vector`;
  }

  #names() {
    return { schema: sql.id(this.#schema) };
  }
}
