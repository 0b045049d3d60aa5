import type { ApprovalSubject } from "../domain/approval.ts";
import type { Failure } from "../domain/failure.ts";
import type { Hook } from "../domain/settings/safety-settings.ts";
import type { TaskOutcome } from "../domain/task/task.ts";
import type { Approvals } from "../engine/hands/parts.ts";
import type { StopReason } from "../engine/hands/stop.ts";
import type { Model } from "../llm/model.ts";

/** What a caller has to say about one run. */
export interface RunOptions {
  signal: AbortSignal;
  /** Asks the person; absent when there is none. */
  ask?: Approvals["ask"];
  /** What this run allows beyond the task's own policy. */
  approve?: RunPolicy;
  /** Programs of the person's that are asked around each tool call. Not frozen: they are this machine's. */
  hooks?: Hook[];
  /** In place of the models of the settings: a cassette. */
  model?: Model;
  /** Stop when there is a plan; `resume` goes on from there. */
  planOnly?: boolean;
  /** Called as soon as the task has its id. */
  onTask?: (task: string) => void;
}

/** The flags of one run: `--yes`, `--approve deps,network`, `--wait`. */
export interface RunPolicy {
  subjects: readonly ApprovalSubject[];
  /** As the person wrote it, for the record. */
  words: string;
  wait: boolean;
  /** Also about blocking findings in code, which are refused otherwise: `--approve code`. */
  findings: boolean;
}

/** How a run ended: with an outcome of the task, or before there was one. */
export type RunEnd =
  | { task: string; ended: "settled"; outcome: TaskOutcome }
  | { task: string; ended: "stopped"; reason: StopReason; why?: string }
  | { task: string; ended: "failed"; failure: Failure };
