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
import type { OpenError } from "./remember-todo.ts";
import type { TodoGuard } from "./todo-limits.ts";

/** What is worked on. */
type Subject =
  /** The goal alone (`--direct`): nothing was planned, and the accepted commands decide. */
  | { kind: "goal" }
  /** All todos together: merged, or mended after a proof. */
  | { kind: "plan"; spec: Spec }
  | TodoSubject;

interface TodoSubject {
  kind: "todo";
  spec: Spec;
  todo: Todo;
  /** What the tester needs to write one of the tests anew. */
  wanted: TestsWanted;
  /** Tests that the coder never sees, for a choice between several finished changes only. */
  unseen: UnseenOfTodo;
}

/** One piece of work, and what decides that it is done: the same for every attempt at it. */
export interface TodoWork {
  subject: Subject;
  /** Triage took it for a small goal. */
  small: boolean;
  project: ProjectView;
  /** Files the work is about, as they are where it begins. */
  files: ShownFile[];
  language: Language | null;
  baseline: TestReport | null;
  accept: string[];
  checks: ProjectCheck[];
  /** Tests of the suite that are flaky without any change. */
  quarantined: string[];
  /** Everything that the plan promises must be there when it is done. */
  whole: boolean;
}

/** The work of one todo of a plan. */
export interface PlannedTodo extends TodoWork {
  subject: TodoSubject;
  language: Language;
}

export const specOf = ({ subject }: TodoWork): Spec | undefined => (subject.kind === "goal" ? undefined : subject.spec);

export const todoOf = ({ subject }: TodoWork): Todo | undefined => (subject.kind === "todo" ? subject.todo : undefined);

/** What may end a todo, or call it back, while it is worked on. */
export interface TodoInterrupts {
  /** Asked before each phase; throws what ends the todo. */
  guard?: TodoGuard | undefined;
  listening?: Listening | undefined;
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
  openErrors?: OpenError[];
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
