import { type Kysely, sql, type Transaction } from "kysely";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import { type Pack, SKETCH_WORDS } from "./sketch.ts";

/** Sketches in one pack. The last sketches of a shelf, which are not packed yet, are read row by row. */
const PACK_SIZE = 512;
const MOST_CACHED = 1024;

/**
 * Reading a hundred thousand rows takes longer than comparing them, so sketches are stored in packs.
 *
 * Invariants:
 * 1. A pack never changes, so it can be cached by its number, whatever other processes write.
 * 2. Every vector of a shelf is in exactly one pack, or behind the last one. The sketch of a removed vector stays in
 * its pack; the look-up of the vector ignores it.
 */
export class SketchPacks {
  readonly #store: Store;
  readonly #cache = new Map<number, Pack>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** All sketches of a model on a shelf. */
  async of(model: string, shelf: string): Promise<Pack[]> {
    const { rows } = await sql<{ number: number; last: number }>`select number, last from memory_packs
      where model = ${model} and shelf = ${shelf} order by last`.execute(this.#store.read);
    const packs: Pack[] = [];
    for (const { number } of rows) packs.push(this.#cache.get(number) ?? (await this.#read(number)));
    // If a pack is sealed meanwhile, its vectors are still rows, and are read here.
    packs.push(pack(await loose(this.#store.read, model, shelf, rows.at(-1)?.last ?? 0)));
    return packs;
  }

  /** Packs the loose sketches once there are enough of them. */
  async sealFull(tx: Transaction<Tables>, model: string, shelf: string): Promise<void> {
    const { rows } = await sql<{
      last: number;
      loose: number;
    }>`select p.last as last, (select count(*) from memory_vectors
      where model = ${model} and shelf = ${shelf} and number > p.last) as loose
      from (select coalesce(max(last), 0) as last from memory_packs where model = ${model} and shelf = ${shelf}) p`.execute(
      tx,
    );
    const { last, loose: count } = rows[0] ?? { last: 0, loose: 0 };
    if (count < PACK_SIZE) return;
    const sealed = await loose(tx, model, shelf, last);
    const { numbers, sketches } = pack(sealed);
    await sql`insert into memory_packs (model, shelf, last, count, numbers, sketches) values (${model}, ${shelf},
      ${sealed.at(-1)?.number ?? 0}, ${sealed.length}, ${bytesOf(numbers)}, ${bytesOf(sketches)})`.execute(tx);
  }

  async #read(number: number): Promise<Pack> {
    const { rows } = await sql<{ numbers: Uint8Array; sketches: Uint8Array }>`select numbers, sketches from memory_packs
      where number = ${number}`.execute(this.#store.read);
    const row = rows[0] ?? { numbers: new Uint8Array(), sketches: new Uint8Array() };
    const read = {
      numbers: new Float64Array(new Uint8Array(row.numbers).buffer),
      sketches: new Int32Array(new Uint8Array(row.sketches).buffer),
    };
    if (this.#cache.size >= MOST_CACHED) this.#cache.clear();
    this.#cache.set(number, read);
    return read;
  }
}

interface Loose {
  number: number;
  sketch: Uint8Array;
}

async function loose(db: Kysely<Tables>, model: string, shelf: string, behind: number): Promise<Loose[]> {
  const { rows } = await sql<Loose>`select number, sketch from memory_vectors
    where model = ${model} and shelf = ${shelf} and number > ${behind} order by number`.execute(db);
  return rows;
}

function pack(rows: readonly Loose[]): Pack {
  const sketches = new Uint8Array(rows.length * SKETCH_WORDS * 4);
  for (const [index, { sketch }] of rows.entries()) sketches.set(sketch, index * SKETCH_WORDS * 4);
  return { numbers: Float64Array.from(rows, ({ number }) => number), sketches: new Int32Array(sketches.buffer) };
}

const bytesOf = (of: Float64Array | Int32Array): Uint8Array => new Uint8Array(of.buffer, of.byteOffset, of.byteLength);
