import type { Transaction } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { IndexHit, StoredVector, Vector } from "../memory-index.ts";

/** A vector of an entry, with the shelf it stands on: one kind of one audience. */
export interface ShelvedVector {
  entry: number;
  shelf: string;
  vector: Vector;
}

/** Where vectors are kept in PostgreSQL and how they are compared: with the server's extension, or without it. */
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
