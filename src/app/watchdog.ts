import { type Bus, isDelta } from "../bus/bus.ts";
import type { Store } from "../store/store.ts";

interface Watched {
  bus: Bus;
  store: Store;
  task: string;
  /** How long a task may neither take a step nor tell anything. */
  silenceMs: number;
  onSilent(): void;
}

/** A timer with a longer delay would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `onSilent` when a task has neither taken a step nor told anything for too long: something hangs that no limit of
 * its own ends. While a person is asked, the silence is theirs.
 */
export function watchSilence({ bus, store, task, silenceMs, onSilent }: Watched): Disposable {
  let last = Date.now();
  let isAsking = false;
  let isOver = false;
  let timer: NodeJS.Timeout;
  const arm = (afterMs: number) => {
    timer = setTimeout(() => void look(), Math.min(Math.max(afterMs, 1), LONGEST_TIMER_MS));
    timer.unref();
  };
  const look = async () => {
    const heard = Math.max(last, await lastStep(store, task).catch(() => 0));
    if (isOver) return;
    const left = isAsking ? silenceMs : heard + silenceMs - Date.now();
    if (left > 0) return arm(left);
    onSilent();
  };
  const unsubscribe = bus.subscribe((message) => {
    if (message.task !== task) return;
    last = Date.now();
    if (!isDelta(message)) isAsking = message.type === "approval-requested";
  });
  arm(silenceMs);
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      clearTimeout(timer);
      unsubscribe();
    },
  };
}

async function lastStep(store: Store, task: string): Promise<number> {
  const row = await store.read
    .selectFrom("steps")
    .select(({ fn }) => fn.max("ended_at").as("at"))
    .where("task_id", "=", task)
    .executeTakeFirst();
  return Number(row?.at ?? 0);
}
