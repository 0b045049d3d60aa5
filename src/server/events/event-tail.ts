import { setTimeout as delay } from "node:timers/promises";
import type { News } from "../../bus/news.ts";
import { eventRows } from "../../store/events.ts";
import type { Store } from "../../store/store.ts";

/** An event as it is sent. */
export interface Frame {
  number: number;
  text: string;
}

/** Events that are kept ready for followers; whoever is further behind reads the database. */
const KEPT = 1000;
const PAGE = 500;

/** A process that is no server tells nobody, and a message may be lost. This is how often we look. */
const LOOK_MS = 500;

/** After a look the next one waits so long: of many events in a row several go out together, to each follower at once. */
const PAUSE_MS = 10;

/**
 * The newest events of one task, read once for all who follow it.
 *
 * Invariants:
 * 1. The database says which events there are. News only say when to look: a lost message loses nothing.
 * 2. What is kept has no gap, and reaches up to the newest event that was seen.
 */
export class EventTail implements Disposable {
  readonly #store: Store;
  readonly #task: string;
  readonly #unsubscribe: () => void;
  readonly #timer: NodeJS.Timeout;
  #seen: number;
  #kept: Frame[] = [];
  /** Who waits, and for an event after which number. */
  readonly #waiters = new Map<() => void, number>();
  #reading = false;
  #again = false;

  private constructor(store: Store, news: News, task: string, seen: number) {
    this.#store = store;
    this.#task = task;
    this.#seen = seen;
    this.#unsubscribe = news.listen("workflow.events", ({ correlation }) => {
      if (correlation.task === task) this.#look();
    });
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  static async open(store: Store, news: News, task: string): Promise<EventTail> {
    const row = await store.read.selectFrom("tasks").select("event_count").where("id", "=", task).executeTakeFirst();
    return new EventTail(store, news, task, Number(row?.event_count ?? 0));
  }

  /** Events after this number, in order, without a gap; none if there are none yet. */
  async after(number: number): Promise<Frame[]> {
    if (number >= this.#seen) return [];
    const first = this.#kept[0]?.number ?? Number.POSITIVE_INFINITY;
    if (first > number + 1) return readFrames(this.#store, this.#task, number);
    return this.#kept.slice(number + 1 - first);
  }

  /** Waits for something after this number. False: the time was over, or the signal came first. */
  async changed(number: number, ms: number, signal: AbortSignal): Promise<boolean> {
    if (number < this.#seen) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#waiters.set(resolve, number);
    const stop = () => resolve();
    signal.addEventListener("abort", stop);
    if (!signal.aborted) await promise;
    signal.removeEventListener("abort", stop);
    clearTimeout(timer);
    this.#waiters.delete(resolve);
    return number < this.#seen;
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    clearInterval(this.#timer);
  }

  /** One look at a time; who asks meanwhile gets one more after it. */
  #look(): void {
    this.#again = true;
    if (this.#reading) return;
    this.#reading = true;
    void this.#read().finally(() => {
      this.#reading = false;
    });
  }

  async #read(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      // A database that does not answer now is asked again at the next look.
      const frames = await readFrames(this.#store, this.#task, this.#seen).catch(() => []);
      const last = frames.at(-1);
      if (!last) continue;
      this.#kept = [...this.#kept, ...frames].slice(-KEPT);
      this.#seen = last.number;
      for (const [wake, number] of this.#waiters) if (number < this.#seen) wake();
      if (frames.length === PAGE) this.#again = true;
      else await delay(PAUSE_MS, undefined, { ref: false });
    }
  }
}

async function readFrames(store: Store, task: string, after: number): Promise<Frame[]> {
  const rows = await eventRows(store, task, after, PAGE);
  return rows.map((row) => {
    const head = { task, number: row.number, at: Number(row.at), step: row.step };
    const data = JSON.stringify({ ...head, ...JSON.parse(row.body) });
    return { number: row.number, text: `id: ${row.number}\nevent: ${row.type}\ndata: ${data}\n\n` };
  });
}
