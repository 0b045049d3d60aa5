import type { Event } from "../domain/task/event.ts";

/** What passes by and is not kept: what a model writes, what is under way, and what a person should know at once. */
export type Delta =
  | { type: "model-delta" | "notice"; task: string; text: string }
  /** How far long work of ours has come: `of` is 0 where nobody knows. */
  | { type: "progress"; task: string; text: string; done: number; of: number; at: number }
  /** A request has left for a model, or a piece of its answer came. After so long a silence it is given up. */
  | { type: "model-heard"; task: string; model: string; patienceMs: number; at: number }
  /** A role has changed files: the trees that the task began with, before this change and after it. */
  | ({ type: "tree-changed"; task: string } & ChangedTree);

export interface ChangedTree {
  todo?: string | undefined;
  base: string;
  before: string;
  tree: string;
  /** Files that were given to the role: tests, which are not its change. */
  given: string[];
}

const PASSING: ReadonlySet<string> = new Set<Delta["type"]>([
  "model-delta",
  "notice",
  "progress",
  "model-heard",
  "tree-changed",
]);

export const isDelta = (message: Event | Delta): message is Delta => PASSING.has(message.type);

/** Events of this process, after they are committed. Other processes read the store. */
export class Bus {
  readonly #listeners = new Set<(message: Event | Delta) => void>();

  /** Returns the function that ends the subscription. */
  subscribe(listener: (message: Event | Delta) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(message: Event | Delta): void {
    for (const listener of this.#listeners) listener(message);
  }
}
