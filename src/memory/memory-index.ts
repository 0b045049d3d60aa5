import type { Transaction } from "kysely";
import type { MemoryKind } from "../domain/memory/memory-record.ts";
import type { Tables } from "../store/tables.ts";

/** An embedding and what made it. `model` names the embedder, its version and size: `hashed-1024.3`, `minilm-384`. */
export interface Vector {
  model: string;
  /** Of length 1. */
  values: Float32Array;
}

/** What the index holds of one active record. */
export interface IndexEntry {
  id: string;
  kind: MemoryKind;
  /** The value of `audienceOf`. */
  audience: string;
  /** The words that find the record: lower case, separated by single spaces, without the syntax of any database. */
  words: string;
  /** At most one of each model. */
  vectors: Vector[];
}

export interface StoredVector {
  id: string;
  vector: Vector;
}

export interface IndexFilter {
  kind: MemoryKind;
  /** Only records of these audiences; "any" for all. */
  audiences: readonly string[] | "any";
}

export interface IndexHit {
  id: string;
  /** For `nearest`: the exact cosine. For `search`: higher is better, comparable within one answer only. */
  score: number;
}

/**
 * Finds records by similarity and by words. There is one implementation per database;
 * `test/conformance/memory-index.ts` specifies all of them.
 *
 * Invariants:
 * 1. `add` and `remove` work inside the transaction that changes the record itself. After a crash both changes exist,
 * or none.
 * 2. Only vectors of the same model are ever compared.
 */
export interface MemoryIndex {
  /** Creates missing tables, indexes and extensions. May be called repeatedly, and in several processes at once. */
  prepare(): Promise<void>;
  /** Replaces the entry of this id, if there is one. The cost does not depend on the number of entries. */
  add(tx: Transaction<Tables>, entry: IndexEntry): Promise<void>;
  /** Afterwards nothing finds these ids. Unknown ids are ignored. */
  remove(tx: Transaction<Tables>, ids: readonly string[]): Promise<void>;
  /** The k entries of the vector's model with the highest cosine, best first. It may miss a few of the very best. */
  nearest(vector: Vector, filter: IndexFilter, k: number): Promise<IndexHit[]>;
  /** The k entries that share the rarest of these words, best first; an entry that shares none is no hit. */
  search(words: readonly string[], filter: IndexFilter, k: number): Promise<IndexHit[]>;
  /** The exact cosine of each of these entries that has a vector of this model, in no order. */
  similarities(vector: Vector, ids: readonly string[]): Promise<IndexHit[]>;
  /** The vectors of these models that these entries have, in no order. */
  vectors(models: readonly string[], ids: readonly string[]): Promise<StoredVector[]>;
  /** How many vectors there are of each model. */
  models(): Promise<Record<string, number>>;
}
