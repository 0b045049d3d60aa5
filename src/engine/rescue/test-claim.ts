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
  /** Tests that the debugger named. None: every red test of the tester's. */
  named: string[];
}

/** A test that is shown to be at fault, instead of the code. */
export interface TestFault {
  name: string;
  why: string;
  quote?: string;
}

export type SettledClaim =
  | { fault: "tests"; blamed: BlamedTests; faults: TestFault[]; disputes: Dispute[] }
  /** `note` is for the coder. */
  | { fault: "code"; note: string; disputes: Dispute[] }
  /** The contract contradicts the requirements: its architect amends it, or a person decides. */
  | { fault: "contract"; why: string }
  /** The claim is about something we may not change: a test of the project, or a command. */
  | { fault: "elsewhere" };
