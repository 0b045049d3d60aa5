import type { Event } from "../domain/task/event.ts";

/** What passes by and is not kept: text as it streams from a model, and what a person should know at once. */
export interface Delta {
  type: "model-delta" | "notice";
  task: string;
  text: string;
}

export const isDelta = (message: Event | Delta): message is Delta =>
  message.type === "model-delta" || message.type === "notice";

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
