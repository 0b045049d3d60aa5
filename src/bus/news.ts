import { randomUUID } from "node:crypto";
import { z } from "zod";
import { Channel, type Wire } from "./wire.ts";

const id = z.string().max(500).nullable();

/** That something happened, and what it belongs to. What happened is in the database, under its number. */
export const NewsItem = z.object({
  channel: Channel,
  /** The type of an event, or the action of an audit entry. */
  type: z.string().max(100),
  /** Of the event within its task, or of the audit entry. */
  number: z.int().nullable(),
  at: z.int(),
  correlation: z.object({ task: id, todo: id, step: id, request: id }),
});
export type NewsItem = z.infer<typeof NewsItem>;

/** Longer ones are none of ours; PostgreSQL carries at most 8000 bytes. */
const LONGEST = 4000;

type Listener = (item: NewsItem) => void;

/**
 * Says that there is something new, here and to other processes.
 *
 * Invariants:
 * 1. Listeners of this process hear at once, whatever becomes of the wire.
 * 2. Each hears an item once: what comes back over the wire is dropped.
 * 3. Text of the wire is checked before anybody hears of it.
 */
export class News implements AsyncDisposable {
  readonly #wire: Wire;
  readonly #origin = randomUUID();
  readonly #listeners = new Map<Channel, Set<Listener>>();

  private constructor(wire: Wire) {
    this.#wire = wire;
  }

  static async open(wire: Wire): Promise<News> {
    const news = new News(wire);
    await wire.receive((_, text) => news.#hear(text));
    return news;
  }

  tell(item: NewsItem): void {
    this.#pass(item);
    this.#wire.send(item.channel, JSON.stringify({ ...item, origin: this.#origin }));
  }

  /** Returns the function that ends it. */
  listen(channel: Channel, listener: Listener): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
    return Promise.resolve(this.#wire[Symbol.asyncDispose]());
  }

  #hear(text: string): void {
    const sent = text.length > LONGEST ? null : Sent.safeParse(parseJson(text)).data;
    if (!sent || sent.origin === this.#origin) return;
    const { origin: _, ...item } = sent;
    this.#pass(item);
  }

  #pass(item: NewsItem): void {
    for (const listener of this.#listeners.get(item.channel) ?? []) listener(item);
  }
}

const Sent = NewsItem.extend({ origin: z.string() });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
