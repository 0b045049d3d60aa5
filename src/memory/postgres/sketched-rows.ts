import { sql, type Transaction } from "kysely";
import type { Store } from "../../store/store.ts";
import type { Tables } from "../../store/tables.ts";
import { dot } from "../embed/unit-length.ts";
import type { IndexHit, StoredVector, Vector } from "../memory-index.ts";
import { nearestSketches, type Pack, sketchOf } from "../sketch.ts";
import { SketchPacks } from "../sketch-packs.ts";
import { byScore, type ShelvedVector, type VectorRows } from "./vector-rows.ts";

/** How many are compared exactly for each that is wanted, and at least. */
const CANDIDATES_EACH = 10;
const CANDIDATES = 400;

/** Up to so many, all are compared exactly; beyond, sketches choose who is. */
const EXACT_UP_TO = 2000;

/** Without the extension: exact values as bytes, compared here, as in the embedded database. */
export class SketchedRows implements VectorRows {
  readonly #store: Store;
  readonly #packs: SketchPacks;

  constructor(store: Store) {
    this.#store = store;
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
    const wanted = all <= EXACT_UP_TO ? all : Math.max(CANDIDATES, k * CANDIDATES_EACH);
    const numbers = nearestSketches(sketchOf(vector.values), packs, wanted);
    // What was removed is still in its pack, and is not found here.
    const { rows } = await sql<Row>`select e.id, v.vector from memory_vectors v
      join memory_entries e on e.number = v.entry
      where v.number = any(${`{${numbers.join(",")}}`}::bigint[])`.execute(this.#store.read);
    return this.#compare(vector, rows).sort(byScore).slice(0, k);
  }

  async similarities(vector: Vector, ids: readonly string[]): Promise<IndexHit[]> {
    if (ids.length === 0) return [];
    const { rows } =
      await sql<Row>`select e.id, v.vector from memory_entries e join memory_vectors v on v.entry = e.number
      where e.id in (${sql.join(ids)}) and v.model = ${vector.model} and v.vector is not null`.execute(
        this.#store.read,
      );
    return this.#compare(vector, rows);
  }

  async vectors(models: readonly string[], ids: readonly string[]): Promise<StoredVector[]> {
    if (ids.length === 0 || models.length === 0) return [];
    const { rows } = await sql<Row & { model: string }>`select e.id, v.model, v.vector
      from memory_entries e join memory_vectors v on v.entry = e.number
      where e.id in (${sql.join(ids)}) and v.model in (${sql.join(models)}) and v.vector is not null`.execute(
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

/** A database's buffer need not lie at a multiple of four. */
export function toValues(bytes: Uint8Array): Float32Array {
  if (bytes.byteOffset % 4 === 0) return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  return new Float32Array(new Uint8Array(bytes).buffer);
}
