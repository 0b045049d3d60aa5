import type { Dispute } from "../../domain/evidence/dispute.ts";
import type { ReplacedTest } from "../../domain/evidence/replaced-test.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { RewrittenTests } from "../testing/written-tests.ts";
import type { OpenError } from "../todo/remember-todo.ts";
import type { TodoResult } from "../todo/todo-work.ts";

/** What there is of a todo that was begun and is not done. */
export interface Begun {
  /** Where it began, and where it stands. */
  from: string;
  tree: string;
  /** It went through a gate, which puts back whatever a coder may not change. */
  judged: boolean;
  after: number;
  notes: string[];
  openErrors: OpenError[];
  /** What it stood on: work that begins from something else cannot be gone on with. */
  foundation: string[];
}

/** How far a plan has come, over all its editions. Kept by whoever follows the plan; those who run it add to it. */
export class PlanProgress {
  /** Of todos that are done. */
  readonly results = new Map<string, TodoResult>();
  readonly begun = new Map<string, Begun>();
  /** The tree that each todo began from. */
  readonly origins = new Map<string, string>();
  /** Trees of todos that were put together, by the todos in them. */
  readonly merged = new Map<string, string>();
  readonly tampering: string[] = [];
  readonly spent: string[] = [];
  /** Given tests that were shown to be at fault in this edition, as they are now. */
  readonly rewritten: RewrittenTests[] = [];
  /** In all editions; and what was ruled on blamed ones. */
  readonly replaced: ReplacedTest[] = [];
  readonly disputes: Dispute[] = [];
  /** That holds the work of all that is done, where todos are worked on in turn. */
  tree: string;

  constructor(start: string) {
    this.tree = start;
  }

  get done(): ReadonlySet<string> {
    return new Set(this.results.keys());
  }

  /** A todo came to an end, or was called back. */
  settle(todo: Todo, result: TodoResult, { from, foundation }: Pick<Begun, "from" | "foundation">): void {
    this.note(result);
    this.begun.delete(todo.id);
    this.origins.set(todo.id, from);
    if (result.settled.ok) {
      this.results.set(todo.id, result);
      this.tree = result.tree;
      return;
    }
    const { tree, yielded, iterations, openErrors = [] } = result;
    const last = iterations.findLast((iteration) => iteration.todo === todo.id)?.number ?? 0;
    const { after = last, notes = [] } = yielded ?? {};
    const judged = result.gate?.tree === tree;
    this.begun.set(todo.id, { from, tree, judged, after, notes, openErrors, foundation });
  }

  /** What was done to tests on the way. */
  note({ tampering, spent = [], rewritten = [], disputes = [] }: TodoResult): void {
    this.tampering.push(...tampering);
    this.spent.push(...spent);
    this.rewritten.push(...rewritten);
    this.replaced.push(...rewritten.flatMap(({ replaced }) => replaced));
    this.disputes.push(...disputes);
  }

  /**
   * What is left of a todo is gone on with where it comes next; otherwise the next one begins from it. Not where nobody
   * judged it: whatever the next one begins from counts as what was there before any coder came.
   */
  treeFor(next: string | undefined): string {
    let { tree } = this;
    for (const [id, begun] of this.begun) {
      if (id === next) continue;
      if (begun.judged) tree = begun.tree;
      this.begun.delete(id);
    }
    return tree;
  }

  /** All are done, and what they left together was worked on since: that is what each of them left. */
  gather(tree: string): void {
    for (const [id, result] of this.results) this.results.set(id, { ...result, tree });
    this.merged.clear();
    this.tree = tree;
  }
}
