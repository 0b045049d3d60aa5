import type { Event } from "../../domain/task/event.ts";
import { readEvents } from "../../store/events.ts";
import type { Store } from "../../store/store.ts";

const PAGE = 1000;

/** Everything that has happened in a task, in order. */
export async function* eventsOf(store: Store, task: string): AsyncGenerator<Event> {
  for (let after = 0; ; ) {
    const events = await readEvents(store, task, after, PAGE);
    yield* events;
    const last = events.at(-1);
    if (!last || events.length < PAGE) return;
    after = last.number;
  }
}
