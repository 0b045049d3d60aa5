import type { Vector } from "../memory-index.ts";

/** Turns texts into vectors. Its parts are loaded at the first text, or by `load`. */
export interface Embedder {
  /** The name with version and size. It is stored with each vector. */
  readonly model: string;
  /** Below this cosine two texts are unrelated. */
  readonly threshold: number;
  /**
   * For an embedder that must be loaded on this machine: loads it before the first text, and says whether it is loaded.
   */
  load?(): Promise<void>;
  isLoaded?(): boolean;
  /** One vector of length 1 for each text, in order. Throws a TerminalFailure that says what to do. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Vector[]>;
}
