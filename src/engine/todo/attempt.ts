import type { TestFile } from "../../domain/plan/test-file.ts";
import { type RewrittenTests, withRewritten } from "../testing/written-tests.ts";
import type { OpenError } from "./remember-todo.ts";
import type { TodoResult } from "./todo-work.ts";

/** Tests that the coder sees and may not change. */
export interface GivenTests {
  files: TestFile[];
  /** Ids that must appear in every verdict. */
  ids: string[];
  /** Tests that pass without the change. */
  guards: string[];
}

/** One attempt at a piece of work: the tree it begins from, and what is known at that time. */
export interface Attempt {
  reason: "first" | "direct" | Next["reason"];
  /** The name for people and events: a todo's id, or `parser-debug`, `mend-1`, `merged`, `direct`. */
  name: string;
  /** The tree the coder begins from, given tests included. */
  tree: string;
  tests: GivenTests;
  /** The attempt that this one continues: the tree it began from, and its red tests in words. */
  earlier: { from: string; red: string } | null;
  /** Before each verdict, test configuration and the project's own tests are put back to their state in this tree. */
  integrityBase: string;
  /** Set if this same attempt was interrupted: its tree, and how many iterations led there. */
  resumeFrom: { tree: string; after: number } | null;
  /** What the coder is told before its first turn. */
  notes: string[];
  /** Errors of earlier attempts that this one may mend. */
  openErrors: OpenError[];
  /** How many iterations failed before this attempt. It decides which model is asked. */
  failures: number;
  /** A smaller limit of iterations than the task's; null: the task's own. */
  maxIterations: number | null;
}

/** Why there is another attempt, and what it needs from the last one. */
export type Next =
  /** The debugger found one or several causes, or a person gave a hint. */
  | {
      reason: "debug" | "candidate" | "hint";
      name: string;
      failed: TodoResult;
      /** The red tests, in words. */
      red: string;
      maxIterations: number;
    }
  /** The proof found something missing in the finished change. */
  | { reason: "mend"; name: string; tree: string; notes: string[] }
  /** The parts are green separately but not together. */
  | { reason: "merged"; notes: string[] };

/** The first attempt. Omitted fields have their initial values. */
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
      // Show the coder the whole change, not only what was mended last.
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
 * Whether the tree went through a gate. A tree that a reviewer sent back did not: it still holds what its coder did to
 * tests and their configuration, and that must not count as the state before the coder.
 */
const isJudged = (last: Attempt, { gate, tree }: TodoResult): boolean => gate?.tree === tree || tree === last.tree;

/** Adds one note for the coder to the attempt. */
export const withNote = (attempt: Attempt, note: string): Attempt => ({ ...attempt, notes: [...attempt.notes, note] });

/** Continues the same attempt after an interruption. */
export const resumedFrom = (attempt: Attempt, tree: string, after: number): Attempt => ({
  ...attempt,
  resumeFrom: { tree, after },
});

/** Puts rewritten tests into the attempt. They are in both trees, so they do not count as the coder's change. */
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
