import type { Configuration } from "../config/load-config.ts";
import type { Step } from "../domain/task/step.ts";
import { forkTask } from "../journal/fork.ts";
import { readFrozen } from "../journal/journal.ts";
import type { Recording } from "../journal/recording.ts";
import { redactor } from "../journal/redact.ts";
import type { Store } from "../store/store.ts";
import type { ArtifactStore } from "../workspace/artifact-store.ts";
import { changeFrozen, type ForkWishes } from "./fork-changes.ts";

interface ForkingApp {
  store: Store;
  treesOf(task: string): Promise<ArtifactStore>;
  recording(task: string): Promise<Recording>;
}

export interface WantedFork {
  parent: string;
  /** The first step that is done anew. */
  at: Step;
  wishes: ForkWishes;
  /** The id of the new task. */
  task: string;
}

/** Makes a task that shares the past of another one up to a step. It is paused there. */
export async function makeFork(
  app: ForkingApp,
  config: Pick<Configuration, "settings" | "keys" | "secrets">,
  { parent, at, wishes, task }: WantedFork,
): Promise<{ steps: number }> {
  const recording = await app.recording(parent);
  const changes = changeFrozen(await readFrozen(recording), wishes, config);
  // Before the fork is there: a prune of the parent must not take away what the fork builds on.
  const trees = await app.treesOf(parent);
  trees.keepAllOf(parent, task);
  await trees.send(task);
  const request = { task, at: at.sequence, ...changes, redact: redactor(config.secrets), clock: Date.now };
  return forkTask(app.store, recording, request);
}
