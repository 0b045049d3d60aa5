import type { Dispute } from "../../domain/evidence/dispute.ts";
import type { ShownBy } from "../../domain/plan/branch.ts";
import type { BlamedTests } from "../../verify/written-tests/blamed-tests.ts";
import type { Attempt } from "../todo/attempt.ts";
import type { PlannedTodo, TodoResult } from "../todo/todo-work.ts";

/** Somebody says of a given test that it, and not the code, is at fault. */
export interface TestClaim {
  work: PlannedTodo;
  /** From the best attempt on. */
  attempt: Attempt;
  failed: TodoResult;
  shownBy: ShownBy;
  /** What the debugger named; none: whatever of ours is red. */
  named: string[];
}

/** A test of which it is shown that it, and not the code, is at fault. */
export interface TestFault {
  name: string;
  why: string;
  quote?: string;
}

export type SettledClaim =
  | { fault: "tests"; blamed: BlamedTests; faults: TestFault[]; disputes: Dispute[] }
  /** What the coder is told. */
  | { fault: "code"; note: string; disputes: Dispute[] }
  /** What was promised goes against the requirements: a person decides. */
  | { fault: "contract"; why: string }
  /** It is about nothing that we may change: a test of the project, a command. */
  | { fault: "elsewhere" };
