import type { ApprovalSubject } from "../src/domain/approval.ts";
import type { EvidenceDocument } from "../src/domain/evidence/evidence-document.ts";
import type { Failure } from "../src/domain/failure.ts";
import type { Lesson } from "../src/domain/memory/lesson.ts";
import type { Pattern } from "../src/domain/memory/pattern.ts";
import type { Usage } from "../src/domain/message.ts";
import type { Metrics, UsageSums } from "../src/domain/task/metrics.ts";
import type { PlanState } from "../src/domain/task/plan-state.ts";
import type { StepKind } from "../src/domain/task/step.ts";
import type { TaskStatus } from "../src/domain/task/task.ts";

/*
 * What the page reads of the server's answers. Written here and not taken from the server, whose types lead to all of its
 * code; test/web-shapes.test.ts holds that the server answers this.
 */

export type { EvidenceDocument, PlanState };

type TaskState = TaskStatus | "queued" | "waiting" | "interrupted";

export interface TaskView {
  id: string;
  goal: string;
  directory: string;
  state: TaskState;
  phase: string;
  iterations: number;
  costMicros: number;
  tokens: number;
  failure: Failure | null;
  parent: string | null;
  questions: number;
  createdAt: number;
  updatedAt: number;
}

export interface TaskPage {
  tasks: TaskView[];
  next: string | null;
}

export interface NewGoal {
  goal: string;
  directory?: string;
  apply?: boolean;
  effort?: string;
  accept?: string[];
  maxCost?: number;
  timeout?: string;
}

export interface Question {
  id: string;
  task: string;
  subject: ApprovalSubject;
  question: string;
  detail: string;
  todo: string | null;
  createdAt: number;
}

export interface StepView {
  number: number;
  path: string;
  strand: string;
  name: string;
  todo: string | null;
  kind: StepKind;
  outcome: "ok" | "failed";
  startedAt: number;
  endedAt: number;
  model: string | null;
  usage: Usage | null;
}

export interface StepPage {
  steps: StepView[];
  next: number | null;
}

export interface StepDetail extends StepView {
  input: unknown;
  output: unknown;
}

export type Used = UsageSums & { key: string };
export type TaskFigures = Metrics & { key: string };

export interface TaskUsage {
  limits: { maxCostMicros: number | null };
}

/** What a record has done so far, against tasks from which it was held back. */
export interface MemoryEffect {
  uses: number;
  shown: { tries: number; wins: number };
  heldBack: { tries: number; wins: number };
  uplift: number;
  interval: { low: number; high: number };
}
export type MemoryRecord = (Lesson | Pattern) & { effect: MemoryEffect };

export interface DeadLetter {
  task: string;
  person: string;
  why: string;
  at: number;
}

export interface QueueView {
  ready: number;
  delayed: number;
  running: number;
  oldestMs: number | null;
  takeOvers: number;
  workers: { name: string; labels: string[]; tasks: string[]; seenAt: number }[];
  deadLetters: DeadLetter[];
}

export interface MonthBudget {
  holder: string;
  limitMicros: number | null;
  spentMicros: number;
}

export interface Setting {
  key: string;
  value: unknown;
  source: string;
}

export interface SignedIn {
  name: string;
  scopes: string[];
  version: string;
}
