import type { ProjectView } from "../../agents/briefings/sections.ts";
import type { ShownFile } from "../../agents/shown-files.ts";
import type { Dispute } from "../../domain/evidence/dispute.ts";
import type { HeldOutTest } from "../../domain/evidence/held-out.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { Failure } from "../../domain/failure.ts";
import type { Iteration } from "../../domain/loop/iteration.ts";
import type { Contract } from "../../domain/plan/contract.ts";
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

type Subject =
  /** Only the goal (`--direct`): there is no plan, and the accepted commands decide. */
  | { kind: "goal" }
  /** All todos together: after a merge, or to mend the change after a proof. */
  | { kind: "plan"; spec: Spec }
  | TodoSubject;

interface TodoSubject {
  kind: "todo";
  spec: Spec;
  todo: Todo;
  /** What the tester needs to rewrite a test. */
  wanted: TestsWanted;
  /** Tests that the coder never sees, used only to choose between several finished changes. */
  unseen: UnseenOfTodo;
}

/** One piece of work, and what decides that it is done. It is the same for every attempt. */
export interface TodoWork {
  subject: Subject;
  /** The tree that the whole task began with: it alone configures the judges. */
  base: string;
  /** The planner took it for a small goal. */
  small: boolean;
  project: ProjectView;
  /** Files that the work is about, as they are when it begins. */
  files: ShownFile[];
  language: Language | null;
  baseline: TestReport | null;
  accept: string[];
  checks: ProjectCheck[];
  /** Tests of the suite that are flaky without any change. */
  quarantined: string[];
  /** True if everything that the plan promises must exist when this work is done. */
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

/** How a todo is called back between two iterations, and what its planner may change. */
export interface Listening {
  /** Whether the task wants the todo back: a person sent a message, or the plan is about to change. */
  isWanted(): Promise<boolean>;
  /** Absent if the plan may no longer be changed. */
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
  /** The gate run that judged `tree`, or else the last gate run. */
  gate: GateRun | null;
  /** What the coder did to tests or their configuration. It was undone. */
  tampering: string[];
  /** Unseen tests that were used to choose between candidates. */
  spent?: string[];
  /** Errors that are not mended. */
  openErrors?: OpenError[];
  /** Tests that were shown to be at fault, and their replacements. */
  rewritten?: RewrittenTests[];
  /** The contract, where its architect amended it on the way. */
  contract?: Contract;
  /** Rulings on given tests that somebody blamed. */
  disputes?: Dispute[];
  /** Set if the todo was called back before its end. It is neither done nor failed. */
  yielded?: Yielded;
}

/** The result of a todo, or of a part of its work, on its own strand. */
export interface Worked {
  result: TodoResult;
  /** The head of the strand that the work ended on. */
  head: string;
  /** What the debugger found, if it was asked. */
  finding?: string;
}

export interface Yielded {
  /** How many iterations the todo has had. */
  after: number;
  notes: string[];
  /** The planner's new version of the rest of the plan. */
  update?: { todos: ProposedTodo[]; why: string };
}
