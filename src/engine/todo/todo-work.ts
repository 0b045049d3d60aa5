import type { ProjectView } from "../../agents/briefings/sections.ts";
import type { ShownFile } from "../../agents/shown-files.ts";
import type { Dispute } from "../../domain/evidence/dispute.ts";
import type { HeldOutTest } from "../../domain/evidence/held-out.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { Failure } from "../../domain/failure.ts";
import type { Iteration } from "../../domain/loop/iteration.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { PlanStand, ProposedTodo } from "../../domain/plan/update-plan.ts";
import type { Language } from "../../languages/language.ts";
import type { GateRun } from "../../verify/gate/gate.ts";
import type { ProjectCheck } from "../../verify/gate/project-checks.ts";
import type { TestsWanted } from "../testing/ask-for-tests.ts";
import type { RewrittenTests } from "../testing/written-tests.ts";
import type { Met } from "./remember-todo.ts";
import type { TodoGuard } from "./todo-limits.ts";

/** What is to be done, on which tree, and what decides that it is done. */
export interface TodoWork {
  /** Absent with `--direct`. */
  spec?: Spec;
  todo?: Todo;
  /** Triage took it for a small goal. */
  small: boolean;
  project: ProjectView;
  /** Files the work is about, as they are in `tree`. */
  files: ShownFile[];
  language: Language | null;
  /** Tests that must be green when this todo is done. */
  tests: TestFile[];
  baseline: TestReport | null;
  accept: string[];
  checks?: ProjectCheck[];
  /** Tests of the suite that are flaky without any change. */
  quarantined?: string[];
  /** Ids of tests that were fixed before coding. */
  ids?: string[];
  /** The tree to start from, tests included. */
  tree: string;
  /** Where no gate has put `tree` right yet: the one before it, against which the first is to. */
  judgedFrom?: string;
  /** Where it was interrupted: the tree to go on from, and how many iterations led there. */
  goOn?: { tree: string; after: number };
  /** What is known before the first iteration. */
  notes?: string[];
  /** With it, everything that the plan promises must be there. */
  whole?: boolean;
  /** Tests that the coder never sees, for a choice between several finished changes only. */
  unseen?: UnseenOfTodo;
  /** An attempt that this goes on from: the tree that it began with, and what stayed red in it. */
  attempt?: { from: string; red: string };
  /** Fewer iterations than the task's limit. */
  maxIterations?: number;
  /** Errors of earlier attempts, which this one may mend. */
  met?: Met[];
  /** Names the work where it is no todo of the plan. */
  name?: string;
  guard?: TodoGuard;
  /** What the tester needs to write one of the tests anew. */
  wanted?: TestsWanted;
  /** Tests that pass without the change. */
  guards?: string[];
  /** Iterations that failed before this work began, where that decides which model is asked. */
  failures?: number;
  listening?: Listening;
}

/** How a todo is called back between two of its iterations, and what its planner may change. */
export interface Listening {
  /** Whether the task wants it back: a person has said something, the plan is about to change. */
  isWanted(): Promise<boolean>;
  /** Absent where the plan may not be changed any more. */
  stand?: PlanStand & { tests: TestFile[] };
}

export interface UnseenOfTodo {
  files: TestFile[];
  tests: HeldOutTest[];
  /** The tree that the task started from. */
  before: string;
}

export interface TodoResult {
  settled: { ok: true } | { ok: false; failure: Failure };
  tree: string;
  iterations: Iteration[];
  /** The run that judged `tree`, or the last there was. */
  gate: GateRun | null;
  /** What the coder did to tests or their configuration; it was undone. */
  tampering: string[];
  /** Unseen tests that chose between candidates. */
  spent?: string[];
  /** Errors that nothing has mended. */
  met?: Met[];
  /** Tests that were shown to be at fault, and what stands in their place. */
  rewritten?: RewrittenTests[];
  /** What was ruled on given tests that somebody blamed. */
  disputes?: Dispute[];
  /** It was called back before its end: it is neither done nor failed. */
  yielded?: Yielded;
}

/** A todo, or a part of its work, on a strand of its own. */
export interface Worked {
  result: TodoResult;
  /** Of the strand that it ended on. */
  head: string;
  /** What the debugger found, where it was asked. */
  finding?: string;
}

export interface Yielded {
  /** Iterations it has had. */
  after: number;
  notes: string[];
  /** What its planner makes of the rest of the plan. */
  update?: { todos: ProposedTodo[]; why: string };
}

/** As people and events know it. */
export const nameOf = ({ todo, name }: TodoWork): string => name ?? todo?.id ?? "direct";
