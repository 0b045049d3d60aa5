import type { Vector } from "../memory-index.ts";

/** Turns texts into vectors. What it is made of is loaded at the first text, or by `load`. */
export interface Embedder {
  /** With version and size, as it is stored with each vector. */
  readonly model: string;
  /** The cosine below which two texts have nothing to do with each other. */
  readonly threshold: number;
  /** Where something is to be loaded on this machine: loads it ahead of the first text, and says whether it is. */
  load?(): Promise<void>;
  isLoaded?(): boolean;
  /** One vector of length 1 for each text, in order. Throws a TerminalFailure that says what to do when it cannot. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Vector[]>;
}
