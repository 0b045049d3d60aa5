import type { ApprovalSubject } from "../domain/approval.ts";
import type { Failure } from "../domain/failure.ts";
import type { Hook } from "../domain/settings/safety-settings.ts";
import type { TaskOutcome } from "../domain/task/task.ts";
import type { Approvals, Lending } from "../engine/hands/parts.ts";
import type { StopReason } from "../engine/hands/stop.ts";
import type { Model } from "../llm/model.ts";
import type { LendingParts } from "./todo-lending.ts";

/** The caller's options for one run. */
export interface RunOptions {
  signal: AbortSignal;
  /** Asks the person. Absent if no person is there. */
  ask?: Approvals["ask"];
  /** What this run allows beyond the task's own policy. */
  approve?: RunPolicy;
  /**
   * The person's own programs around each tool call. They belong to this machine, so they are not frozen into the task.
   */
  hooks?: Hook[];
  /** A cassette, instead of the models of the settings. */
  model?: Model;
  /** Who answers owns this machine: files outside of the workspace may be asked for. */
  outside?: boolean;
  /** Stop after planning. `resume` continues from there. */
  planOnly?: boolean;
  /**
   * Lends todos of the task to other workers. Absent: it is worked on here alone. Only for a task that is resumed: a run
   * that has just created its task does not read what others record.
   */
  lend?: (parts: Omit<LendingParts, "helpers">) => Lending;
  /** Called as soon as the task has its id. */
  onTask?: (task: string) => void;
}

/** The flags of one run: `--yes`, `--approve deps,network`, `--wait`. */
export interface RunPolicy {
  subjects: readonly ApprovalSubject[];
  /** The person's own words, for the record. */
  words: string;
  wait: boolean;
  /** Also ask about blocking findings in code, which are refused otherwise: `--approve code`. */
  findings: boolean;
}

/** How a run ended: with an outcome of the task, or before it had one. */
export type RunEnd =
  | { task: string; ended: "settled"; outcome: TaskOutcome }
  | { task: string; ended: "stopped"; reason: StopReason; why?: string }
  | { task: string; ended: "failed"; failure: Failure };
