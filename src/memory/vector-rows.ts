import { sql, type Transaction } from "kysely";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import type { IndexHit, StoredVector, Vector } from "./memory-index.ts";

/** A vector of an entry, with its shelf: one kind of one audience. */
export interface ShelvedVector {
  entry: number;
  shelf: string;
  vector: Vector;
}

/** Stores and compares vectors: as bytes, or in PostgreSQL with its extension. */
export interface VectorRows {
  add(tx: Transaction<Tables>, row: ShelvedVector): Promise<void>;
  /** Best first. */
  nearest(vector: Vector, shelves: readonly string[], k: number): Promise<IndexHit[]>;
  /** In no order. */
  similarities(vector: Vector, ids: readonly string[]): Promise<IndexHit[]>;
  /** In no order. */
  vectors(models: readonly string[], ids: readonly string[]): Promise<StoredVector[]>;
}

export const byScore = (a: IndexHit, b: IndexHit): number => b.score - a.score || (a.id < b.id ? -1 : 1);

/** How many vectors there are of each model. */
export async function countByModel(store: Store): Promise<Record<string, number>> {
  const { rows } = await sql<{ model: string; count: number }>`select model, count(*) as count from memory_vectors
    group by model order by model`.execute(store.read);
  return Object.fromEntries(rows.map(({ model, count }) => [model, count]));
}
