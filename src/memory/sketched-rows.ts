import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import { dot } from "./embed/unit-length.ts";
import type { IndexHit, StoredVector, Vector } from "./memory-index.ts";
import { nearestSketches, type Pack, sketchOf } from "./sketch.ts";
import { SketchPacks } from "./sketch-packs.ts";
import { byScore, type ShelvedVector, type VectorRows } from "./vector-rows.ts";

/** What differs between databases. */
export interface SketchDialect {
  /** How many are compared exactly: per wanted hit, and at least. Up to `all`, every one is compared. */
  candidates: { each: number; least: number; all: number };
  hasNumber(column: RawBuilder<unknown>, numbers: readonly number[]): RawBuilder<unknown>;
  /** Never called with an empty list. */
  hasText(column: RawBuilder<unknown>, texts: readonly string[]): RawBuilder<unknown>;
  /** The column of the model, written so that the database finds rows by their entry and not by the model. */
  model: RawBuilder<unknown>;
}

/**
 * Stores exact values as bytes, one row each, and compares them in this process. A full scan of the sketches of 64
 * bytes chooses the candidates.
 */
export class SketchedRows implements VectorRows {
  readonly #store: Store;
  readonly #packs: SketchPacks;
  readonly #dialect: SketchDialect;

  constructor(store: Store, dialect: SketchDialect) {
    this.#store = store;
    this.#dialect = dialect;
    this.#packs = new SketchPacks(store);
  }

  async add(tx: Transaction<Tables>, { entry, shelf, vector }: ShelvedVector): Promise<void> {
    const { model, values } = vector;
    await sql`insert into memory_vectors (entry, model, shelf, sketch, vector)
      values (${entry}, ${model}, ${shelf}, ${sketchOf(values)}, ${toBytes(values)})`.execute(tx);
    await this.#packs.sealFull(tx, model, shelf);
  }

  async nearest(vector: Vector, shelves: readonly string[], k: number): Promise<IndexHit[]> {
    const packs: Pack[] = [];
    for (const shelf of shelves) packs.push(...(await this.#packs.of(vector.model, shelf)));
    const all = packs.reduce((sum, pack) => sum + pack.numbers.length, 0);
    const { candidates, hasNumber } = this.#dialect;
    const wanted = all <= candidates.all ? all : Math.max(candidates.least, k * candidates.each);
    const numbers = nearestSketches(sketchOf(vector.values), packs, wanted);
    // A removed vector is still in its pack, but has no row here.
    const { rows } = await sql<Row>`select e.id, v.vector from memory_vectors v
      join memory_entries e on e.number = v.entry
      where ${hasNumber(sql`v.number`, numbers)}`.execute(this.#store.read);
    return this.#compare(vector, rows).sort(byScore).slice(0, k);
  }

  async similarities(vector: Vector, ids: readonly string[]): Promise<IndexHit[]> {
    if (ids.length === 0) return [];
    const { hasText, model } = this.#dialect;
    const { rows } =
      await sql<Row>`select e.id, v.vector from memory_entries e join memory_vectors v on v.entry = e.number
      where ${hasText(sql`e.id`, ids)} and ${model} = ${vector.model} and v.vector is not null`.execute(
        this.#store.read,
      );
    return this.#compare(vector, rows);
  }

  async vectors(models: readonly string[], ids: readonly string[]): Promise<StoredVector[]> {
    if (ids.length === 0 || models.length === 0) return [];
    const { hasText, model } = this.#dialect;
    const { rows } = await sql<Row & { model: string }>`select e.id, v.model, v.vector
      from memory_entries e join memory_vectors v on v.entry = e.number
      where ${hasText(sql`e.id`, ids)} and ${hasText(model, models)} and v.vector is not null`.execute(
      this.#store.read,
    );
    return rows.map(({ id, model, vector }) => ({ id, vector: { model, values: toValues(vector) } }));
  }

  #compare(vector: Vector, rows: readonly Row[]): IndexHit[] {
    return rows.map((row) => ({ id: row.id, score: dot(vector.values, toValues(row.vector)) }));
  }
}

interface Row {
  id: string;
  vector: Uint8Array;
}

const toBytes = (values: Float32Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** The buffer from a database may not be aligned to four bytes. */
export function toValues(bytes: Uint8Array): Float32Array {
  if (bytes.byteOffset % 4 === 0) return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  return new Float32Array(new Uint8Array(bytes).buffer);
}
