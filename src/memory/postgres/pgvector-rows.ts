import { createHash } from "node:crypto";
import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Store } from "../../store/store.ts";
import type { Tables } from "../../store/tables.ts";
import type { IndexHit, StoredVector, Vector } from "../memory-index.ts";
import { SKETCH_BITS, sketchOf } from "../sketch.ts";
import { toValues } from "../sketched-rows.ts";
import { byScore, type ShelvedVector, type VectorRows } from "../vector-rows.ts";

/** With fewer vectors than this on the shelves, comparing all of them is as fast and misses none. */
const EXACT_UP_TO = 2000;

/**
 * How many sketches HNSW finds for the exact comparison: at least, and per wanted hit. More finds more and takes
 * longer.
 */
const BREADTH = 100;
const BREADTH_EACH = 5;

/**
 * For the extension pgvector. Each model gets an HNSW index with its first vector, over the sketches of the embedded
 * index (`sketch.ts`). On 512 bits it is built and searched many times faster than on the vectors, and vectors may have
 * any length. The hits are compared exactly. Vectors have length 1, so the inner product is the cosine, and it is
 * cheaper.
 */
export class PgvectorRows implements VectorRows {
  readonly #store: Store;
  /** The schema in which the extension is installed. It need not be on the search path. */
  readonly #schema: string;
  readonly #indexed = new Set<string>();
  readonly #many = new Set<string>();

  constructor(store: Store, schema: string) {
    this.#store = store;
    this.#schema = schema;
  }

  async add(tx: Transaction<Tables>, { entry, shelf, vector }: ShelvedVector): Promise<void> {
    await this.#makeIndex(tx, vector);
    await sql`insert into memory_vectors (entry, model, shelf, embedding, bits)
      values (${entry}, ${vector.model}, ${shelf}, ${this.#literal(vector)}, ${bitsOf(vector.values)})`.execute(tx);
  }

  async nearest(vector: Vector, shelves: readonly string[], k: number): Promise<IndexHit[]> {
    if (shelves.length === 0) return [];
    const model = sql.lit(vector.model);
    const ofShelves = sql`model = ${model} and shelf in (${sql.join(shelves)})`;
    const distance = this.#distance(vector);
    const isFew = await this.#isFew(`${vector.model} ${shelves.join(" ")}`, ofShelves);
    // `materialized` keeps the planner from using the index for few vectors, where the filter would leave too few hits.
    const near = isFew
      ? sql`with few as materialized (select entry, embedding from memory_vectors where ${ofShelves})
          select entry, ${distance} as distance from few order by distance limit ${k}`
      : sql`with candidates as materialized (select entry, embedding from memory_vectors where ${ofShelves}
            order by bits operator(${this.#names().schema}.<~>) ${bitsOf(vector.values)} limit ${breadth(k)})
          select entry, ${distance} as distance from candidates order by distance limit ${k}`;
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
      vector: { model, values: fromText(text) },
    }));
  }

  /** Once there are many, they are assumed to stay many: HNSW works among few as well. */
  async #isFew(key: string, ofShelves: RawBuilder<unknown>): Promise<boolean> {
    if (this.#many.has(key)) return false;
    const { rows } = await sql<{ count: number }>`select count(*) as count from
      (select 1 from memory_vectors where ${ofShelves} limit ${EXACT_UP_TO + 1}) few`.execute(this.#store.read);
    if ((rows[0]?.count ?? 0) <= EXACT_UP_TO) return true;
    await this.#analyse();
    this.#many.add(key);
    return false;
  }

  /**
   * A planner without statistics takes each shelf for nearly empty and sorts it. Making an index only counts the rows.
   */
  async #analyse(): Promise<void> {
    const { rows } =
      await sql`select 1 from pg_stats where schemaname = current_schema() and tablename = 'memory_vectors'
      and attname = 'shelf'`.execute(this.#store.read);
    if (rows.length === 0) await sql`analyze memory_vectors (model, shelf)`.execute(this.#store.read);
  }

  /** Converts vectors that were stored as bytes before the extension was installed, and those without a sketch. */
  async takeOver(tx: Transaction<Tables>): Promise<void> {
    for (;;) {
      const { rows } = await sql<{
        number: number;
        model: string;
        vector: Uint8Array | null;
        text: string | null;
      }>`select
        number, model, vector, embedding::text as text from memory_vectors where bits is null limit 500`.execute(tx);
      if (rows.length === 0) return;
      for (const { number, model, vector, text } of rows) {
        const values = vector === null ? fromText(text ?? "[]") : toValues(vector);
        const taken = { model, values };
        await this.#makeIndex(tx, taken);
        await sql`update memory_vectors set embedding = ${this.#literal(taken)}, bits = ${bitsOf(values)}, vector = null,
          sketch = null where number = ${number}`.execute(tx);
      }
    }
  }

  async #makeIndex(tx: Transaction<Tables>, { model }: Vector): Promise<void> {
    if (this.#indexed.has(model)) return;
    const hash = createHash("sha256").update(model).digest("hex").slice(0, 16);
    const name = `memory_bits_${hash}`;
    const { rows } =
      await sql`select 1 from pg_indexes where schemaname = current_schema() and indexname = ${name}`.execute(tx);
    if (rows.length === 0) {
      const { schema } = this.#names();
      await sql`create index ${sql.ref(name)} on memory_vectors using hnsw (bits ${schema}.bit_hamming_ops)
        where model = ${sql.lit(model)}`.execute(tx);
      // The old index over the vectors themselves.
      await sql`drop index if exists ${sql.ref(`memory_near_${hash}`)}`.execute(tx);
      // It is remembered only after the commit: this transaction may still be rolled back.
      return;
    }
    this.#indexed.add(model);
  }

  /** A setting of the session, which may be a new one since the last time. */
  async #widen(k: number): Promise<void> {
    await sql`select set_config('hnsw.ef_search', ${String(breadth(k))}, false),
      set_config('hnsw.iterative_scan', 'relaxed_order', false)`.execute(this.#store.read);
  }

  /** The negative inner product, written exactly as in the index. */
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

/** The limit of what HNSW accepts. */
const breadth = (k: number): number => Math.min(1000, Math.max(BREADTH, BREADTH_EACH * k));

const fromText = (text: string): Float32Array => Float32Array.from(text.slice(1, -1).split(","), Number);

function bitsOf(values: Float32Array): RawBuilder<unknown> {
  const bits = [...sketchOf(values)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return sql`${bits}::bit(${sql.lit(SKETCH_BITS)})`;
}
