import type { News } from "../../bus/news.ts";
import type { Store } from "../../store/store.ts";
import { Refusal } from "../access/problem.ts";
import { EventTail } from "./event-tail.ts";

/** A line now and then, so that nothing between us takes the connection for dead. */
const BEAT_MS = 15_000;

export interface StreamParts {
  store: Store;
  news: News;
  maxStreams: number;
}

/** Followers of tasks. Each gets every event once and in order, from where it left off. */
export class EventStreams {
  readonly #parts: StreamParts;
  readonly #tails = new Map<string, { tail: Promise<EventTail>; followers: number }>();
  #open = 0;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  get open(): number {
    return this.#open;
  }

  /** Server-sent events after this number, until the signal says that nobody reads them any more. */
  follow(task: string, after: number, signal: AbortSignal): ReadableStream<Uint8Array> {
    const { maxStreams } = this.#parts;
    if (this.#open >= maxStreams) {
      throw new Refusal(429, "stream.limit", `${maxStreams} streams are open already; try again later`, {
        headers: { "retry-after": "5" },
      });
    }
    this.#open += 1;
    const ended = new AbortController();
    const chunks = this.#chunks(task, after, ended.signal);
    const end = () => {
      if (ended.signal.aborted) return;
      this.#open -= 1;
      ended.abort();
      // One that waits to be read comes to its end here and nowhere else.
      void chunks.return(undefined);
    };
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    const encoder = new TextEncoder();
    return new ReadableStream({
      // Pulled only when the follower has read what was there: a slow one is behind, and takes no memory.
      pull: async (controller) => {
        const { value, done } = await chunks.next().catch((error: unknown) => {
          end();
          throw error;
        });
        if (!done) return controller.enqueue(encoder.encode(value));
        end();
        controller.close();
      },
      cancel: end,
    });
  }

  async *#chunks(task: string, after: number, signal: AbortSignal): AsyncGenerator<string, void, void> {
    const tail = await this.#join(task);
    try {
      // Sent at once: the follower knows that it is connected.
      yield "retry: 1000\n\n";
      for (let position = after; !signal.aborted; ) {
        const frames = await tail.after(position);
        position = frames.at(-1)?.number ?? position;
        if (frames.length > 0) yield frames.map(({ text }) => text).join("");
        else if (!(await tail.changed(position, BEAT_MS, signal)) && !signal.aborted) yield ":\n\n";
      }
    } finally {
      await this.#leave(task);
    }
  }

  #join(task: string): Promise<EventTail> {
    const known = this.#tails.get(task) ?? {
      tail: EventTail.open(this.#parts.store, this.#parts.news, task),
      followers: 0,
    };
    known.followers += 1;
    this.#tails.set(task, known);
    return known.tail;
  }

  async #leave(task: string): Promise<void> {
    const known = this.#tails.get(task);
    if (!known) return;
    known.followers -= 1;
    if (known.followers > 0) return;
    this.#tails.delete(task);
    (await known.tail)[Symbol.dispose]();
  }
}
