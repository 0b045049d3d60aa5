import { setTimeout as sleep } from "node:timers/promises";
import type { RunEnd } from "../../app/run-options.ts";
import { TerminalFailure } from "../../domain/failure.ts";
import type { Event } from "../../domain/task/event.ts";
import type { View } from "../terminal/live-view.ts";
import { RemoteTask, type ServerClient } from "./server-client.ts";

/** So long nothing came: then it is asked whether anybody still works on it. */
const SILENCE_MS = 1000;

const AT_WORK = new Set(["running", "queued"]);

/** Shows a task from its beginning until nobody works on it any more, also over restarts of the server. */
export async function followRemote(
  client: ServerClient,
  task: string,
  view: View,
  signal: AbortSignal,
): Promise<RunEnd> {
  for (let after = 0; ; ) {
    const ended = new AbortController();
    const events = client.events(task, after, AbortSignal.any([signal, ended.signal]));
    try {
      for (let next = events.next(); ; ) {
        const come = await Promise.race([next, sleep(SILENCE_MS, "silence" as const, { ref: false })]);
        if (come === "silence") {
          const end = endOf(await client.get(`/tasks/${task}`, RemoteTask));
          if (end) return end;
          continue;
        }
        if (come.done) break;
        after = come.value.number;
        view.show(come.value);
        const end = settled(task, come.value);
        if (end) return end;
        next = events.next();
      }
    } catch (error) {
      signal.throwIfAborted();
      // It may be started again: nothing of what happens meanwhile is lost.
      if (!isPassing(error)) throw error;
    } finally {
      ended.abort();
      void events.return(undefined).catch(() => {});
    }
    await sleep(SILENCE_MS, undefined, { signal });
  }
}

function settled(task: string, event: Event): RunEnd | null {
  return event.type === "task-settled" ? { task, ended: "settled", outcome: event.outcome } : null;
}

/** Null: it goes on. A task that has ended says so by an event. */
function endOf({ id, state, questions }: RemoteTask): RunEnd | null {
  if (AT_WORK.has(state)) return null;
  if (state === "waiting") {
    const why = `${questions} open: \`miracle approve\` answers, and the server goes on`;
    return { task: id, ended: "stopped", reason: "waiting", why };
  }
  if (state === "paused" || state === "cancelled") return { task: id, ended: "stopped", reason: state };
  return state === "interrupted" ? { task: id, ended: "stopped", reason: "interrupted" } : null;
}

const isPassing = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof TerminalFailure && error.failure.kind === "transient");
