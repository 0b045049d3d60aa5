import type { TestFile } from "../../domain/plan/test-file.ts";
import { type RewrittenTests, withRewritten } from "../testing/written-tests.ts";
import type { OpenError } from "./remember-todo.ts";
import type { TodoResult } from "./todo-work.ts";

/** Tests that the coder sees and may not change. */
export interface GivenTests {
  files: TestFile[];
  /** Ids that every verdict must show. */
  ids: string[];
  /** Tests that pass without the change. */
  guards: string[];
}

/** One attempt at a piece of work: where it begins, and what is known by then. */
export interface Attempt {
  reason: "first" | "direct" | Next["reason"];
  /** As people and events know it: a todo's id, or `parser-debug`, `mend-1`, `merged`, `direct`. */
  name: string;
  /** Where the coder begins, given tests included. */
  tree: string;
  tests: GivenTests;
  /** An attempt that this goes on from: where that one began, and what stayed red in it. */
  earlier: { from: string; red: string } | null;
  /** Test configuration and the project's own tests are put back to what they are here before each verdict. */
  integrityBase: string;
  /** Where this very attempt was interrupted: its tree, and the iterations that led there. */
  resumeFrom: { tree: string; after: number } | null;
  /** What the coder is told before its first turn. */
  notes: string[];
  /** Errors of earlier attempts, which this one may mend. */
  openErrors: OpenError[];
  /** Iterations that failed before it: they decide which model is asked. */
  failures: number;
  /** Fewer iterations than the task's limit; null: as many. */
  maxIterations: number | null;
}

/** Why there is another attempt, and what of the last one it needs. */
export type Next =
  /** Somebody found the cause, or several: the debugger, or a person with a hint. */
  | {
      reason: "debug" | "candidate" | "hint";
      name: string;
      failed: TodoResult;
      /** What stayed red, in words. */
      red: string;
      maxIterations: number;
    }
  /** The proof found something missing in the finished change. */
  | { reason: "mend"; name: string; tree: string; notes: string[] }
  /** The parts are green by themselves, and not together. */
  | { reason: "merged"; notes: string[] };

/** The first attempt; what is left out is as it is where nothing has happened yet. */
export const firstAttempt = (
  begin: Pick<Attempt, "name" | "tree" | "tests"> & Partial<Pick<Attempt, "reason" | "notes">>,
): Attempt => ({
  reason: "first",
  earlier: null,
  integrityBase: begin.tree,
  resumeFrom: null,
  notes: [],
  openErrors: [],
  failures: 0,
  maxIterations: null,
  ...begin,
});

export function nextAttempt(last: Attempt, next: Next): Attempt {
  switch (next.reason) {
    case "merged":
      return { ...last, reason: "merged", name: "merged", notes: next.notes };
    case "mend": {
      const { reason, name, tree, notes } = next;
      // The change as a whole is shown, not what was mended before.
      return {
        ...last,
        reason,
        name,
        tree,
        integrityBase: tree,
        earlier: { from: last.tree, red: "" },
        notes,
        resumeFrom: null,
      };
    }
    default: {
      const { reason, name, failed, red, maxIterations } = next;
      return {
        ...last,
        reason,
        name,
        tree: failed.tree,
        earlier: { from: last.earlier?.from ?? last.tree, red },
        integrityBase: isJudged(last, failed) ? failed.tree : last.integrityBase,
        resumeFrom: null,
        openErrors: failed.openErrors ?? [],
        failures: failed.iterations.length,
        maxIterations,
      };
    }
  }
}

/**
 * What a reader sent back went through no gate: what its coder did to tests and their configuration is still in it, and
 * must not pass for what was there before.
 */
const isJudged = (last: Attempt, { gate, tree }: TodoResult): boolean => gate?.tree === tree || tree === last.tree;

/** The same attempt, with one more thing that the coder is told. */
export const withNote = (attempt: Attempt, note: string): Attempt => ({ ...attempt, notes: [...attempt.notes, note] });

/** The same attempt, gone on with after it was interrupted. */
export const resumedFrom = (attempt: Attempt, tree: string, after: number): Attempt => ({
  ...attempt,
  resumeFrom: { tree, after },
});

/** Some of the given tests were written anew, and stand in both trees: a change of theirs is none of the coder's. */
export function withRewrittenTests(
  attempt: Attempt,
  rewritten: readonly RewrittenTests[],
  placed: { tree: string; from: string },
): Attempt {
  return {
    ...attempt,
    tests: withRewritten(attempt.tests, rewritten),
    tree: placed.tree,
    integrityBase: attempt.integrityBase === attempt.tree ? placed.tree : attempt.integrityBase,
    earlier: { from: placed.from, red: "" },
  };
}
