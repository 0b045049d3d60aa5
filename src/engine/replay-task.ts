import { stepPath, TASK_STRAND } from "../domain/task/step-path.ts";
import type { TaskOutcome } from "../domain/task/task.ts";
import { Divergence } from "../journal/divergence.ts";
import type { Frozen } from "../journal/frozen.ts";
import { Journal } from "../journal/journal.ts";
import type { Recording } from "../journal/recording.ts";
import type { EngineParts } from "./hands/parts.ts";
import { Stopped } from "./hands/stop.ts";
import { Warden } from "./hands/warden.ts";
import { runTask } from "./run-task.ts";

export type Replayed =
  | { ended: "same"; outcome: TaskOutcome }
  /** The recording ends before the task was settled. Everything in it was reproduced. */
  | { ended: "unfinished"; at: string }
  | { ended: "diverged"; divergence: Divergence };

/**
 * Runs a recorded task again from its recording alone: no model, no sandbox, no file. With `today` the run uses these
 * prompts and settings instead of the frozen ones, and the first step that would differ is the result.
 */
export async function replayTask(
  recording: Recording,
  languages: EngineParts["languages"],
  today?: Frozen,
): Promise<Replayed> {
  const journal = await Journal.replay(recording, today);
  const untouched = (what: string) => () => {
    throw new Error(`a replay touched ${what}`);
  };
  const inert = <T extends object>(what: string): T =>
    new Proxy<T>(Object.create(null), { get: () => untouched(what) });
  const { safety } = journal.frozen.settings;
  const parts: EngineParts = {
    journal,
    model: inert("the model"),
    artifacts: inert("the artifact store"),
    sandbox: inert("the sandbox"),
    languages,
    packages: inert("an index of packages"),
    parsers: inert("a parser"),
    checkouts: inert("a checkout"),
    checkoutOwner: null,
    warden: new Warden(inert("the safety rules"), inert("the artifact store"), safety),
    hooks: inert("a hook"),
    approvals: inert("the person"),
    messages: inert("the person"),
    budget: inert("the budget"),
    memory: inert("memory"),
    onDelta: () => {},
    onHeard: () => {},
    onNotice: () => {},
    onProgress: () => {},
    onTree: () => {},
    signal: new AbortController().signal,
    clock: () => 0,
    faults: { reach: () => {} },
  };
  try {
    return { ended: "same", outcome: await runTask(parts) };
  } catch (error) {
    // A role that was asked alone has answered: such a task is never settled.
    if (error instanceof Stopped) return { ended: "unfinished", at: stepPath(TASK_STRAND, "settle", 1) };
    if (!(error instanceof Divergence)) throw error;
    return error.atEnd ? { ended: "unfinished", at: error.step } : { ended: "diverged", divergence: error };
  }
}
