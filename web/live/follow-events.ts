import type { Event } from "../../src/domain/task/event.ts";
import { api, Problem } from "../api.ts";
import { pause } from "./awake.ts";
import { FrameReader } from "./read-frames.ts";

/** The server says something every 15 seconds. After this long the connection is dead, whatever the browser thinks. */
const SILENCE_MS = 40_000;

/** A page that nobody sees gives its connection back after this time: a browser has few of them for one server. */
const UNSEEN_MS = 20_000;

export interface EventFollower {
  events(batch: Event[]): void;
  /** Whether events come as they happen. */
  live(isLive: boolean): void;
}

/**
 * Every event of a task once and in order, for as long as the signal says. A connection that breaks, a server that is
 * started again and a page that was asleep go on behind the last event that was seen.
 */
export async function followEvents(task: string, follower: EventFollower, signal: AbortSignal): Promise<void> {
  let last = 0;
  let failures = 0;
  while (!signal.aborted) {
    const connection = new AbortController();
    using _watch = watch(connection, signal);
    try {
      const response = await api.events(task, last, connection.signal);
      follower.live(true);
      const reader = new FrameReader();
      for await (const text of textOf(response, connection)) {
        failures = 0;
        const fresh = reader.push(text).filter(({ number }) => number > last);
        last = fresh.at(-1)?.number ?? last;
        if (fresh.length > 0) follower.events(fresh);
      }
    } catch (error) {
      if (error instanceof Problem && (error.status === 404 || error.status === 401)) return;
      failures += 1;
    }
    follower.live(false);
    connection.abort();
    await pause(Math.min(8000, 250 * 2 ** failures), signal);
  }
}

/** Ends a connection that is silent for too long. */
async function* textOf(response: Response, connection: AbortController): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  for (;;) {
    const silence = setTimeout(() => connection.abort(), SILENCE_MS);
    const { value, done } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    yield value;
  }
}

/** Ends a connection when it is not wanted any more, or when the page is out of sight for long. */
function watch(connection: AbortController, signal: AbortSignal): Disposable {
  let unseen: ReturnType<typeof setTimeout> | undefined;
  const end = () => connection.abort();
  const look = () => {
    clearTimeout(unseen);
    if (document.hidden) unseen = setTimeout(end, UNSEEN_MS);
  };
  document.addEventListener("visibilitychange", look);
  signal.addEventListener("abort", end);
  look();
  return {
    [Symbol.dispose]: () => {
      clearTimeout(unseen);
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", end);
    },
  };
}
