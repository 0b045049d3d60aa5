import type { Transaction } from "kysely";
import type { MemoryKind } from "../domain/memory/memory-record.ts";
import type { Tables } from "../store/tables.ts";

/** An embedding and what made it. `model` names the embedder, its version and size: `hashed-1024.3`, `minilm-384`. */
export interface Vector {
  model: string;
  /** Of length 1. */
  values: Float32Array;
}

/** What the index keeps of one active record. */
export interface IndexEntry {
  id: string;
  kind: MemoryKind;
  /** As `audienceOf` says. */
  audience: string;
  /** Words to be found by, ready: lower case, separated by single spaces, no syntax of any database. */
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
  /** Of `nearest`: the cosine, exact. Of `search`: higher is better, comparable within one answer only. */
  score: number;
}

/**
 * Finds records by likeness and by words. One implementation per database; `test/conformance/memory-index.ts` is what all of
 * them must do.
 *
 * Invariants:
 * 1. `add` and `remove` work inside the transaction that changes the record itself: after a crash both are there or none.
 * 2. Only vectors of the same model are ever compared.
 */
export interface MemoryIndex {
  /** Makes what the database lacks: tables, indexes, extensions. Safe to call again and in several processes at once. */
  prepare(): Promise<void>;
  /** Replaces the entry of this id, if there is one. Costs the same however many there are. */
  add(tx: Transaction<Tables>, entry: IndexEntry): Promise<void>;
  /** Afterwards nothing of these ids is found; unknown ids are ignored. */
  remove(tx: Transaction<Tables>, ids: readonly string[]): Promise<void>;
  /** The k entries of the vector's model with the highest cosine, best first; near misses of the very best are allowed. */
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
