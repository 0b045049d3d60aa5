import { expect, onTestFinished, test } from "vitest";
import { JournalBuilder } from "../../../test/journal-builder.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import type { RunEnding } from "../../queue/job-worker.ts";
import { watchProgress } from "./watch-progress.ts";

const TASK = "t00000001";
const never = new AbortController().signal;

async function watched(timeoutMs: number) {
  const builder = new JournalBuilder(temporaryDirectory());
  const store = await builder.store();
  onTestFinished(() => store[Symbol.asyncDispose]());
  await builder.create(store, TASK);
  const step = () =>
    store.write((tx) =>
      tx
        .updateTable("tasks")
        .set((row) => ({ step_count: row("step_count", "+", 1) }))
        .where("id", "=", TASK)
        .execute(),
    );
  const watch = { store, task: TASK, timeoutMs, stopping: () => new Error("stopping") };
  return { watch, step };
}

const untilStopped = (signal: AbortSignal) =>
  new Promise<RunEnding>((resolve) => signal.addEventListener("abort", () => resolve("stopped")));

test("a task that records nothing more is stopped, and that is a failure", async () => {
  const { watch } = await watched(40);
  await expect(watchProgress(watch, never, untilStopped)).rejects.toThrow("no step was recorded within 0.04 s");
});

test("one that records steps goes on, however long it takes; one that is stopped by its worker is given back", async () => {
  const { watch, step } = await watched(400);
  let steps = 0;
  const working = async (signal: AbortSignal): Promise<RunEnding> => {
    for (; steps < 60 && !signal.aborted; steps += 1) {
      await step();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return signal.aborted ? "stopped" : "ended";
  };
  expect(await watchProgress(watch, never, working)).toBe("ended");
  const stop = new AbortController();
  const run = watchProgress(watch, stop.signal, untilStopped);
  stop.abort();
  expect(await run).toBe("stopped");
});
