import type { Dispute } from "../../domain/evidence/dispute.ts";
import type { ReplacedTest } from "../../domain/evidence/replaced-test.ts";
import type { Contract } from "../../domain/plan/contract.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { RewrittenTests } from "../testing/written-tests.ts";
import type { OpenError } from "../todo/remember-todo.ts";
import type { TodoResult } from "../todo/todo-work.ts";

/** A todo that was begun and is not done. */
export interface Begun {
  /** The tree it began from, and its current tree. */
  from: string;
  tree: string;
  /** Its tree went through a gate, which puts back what a coder may not change. */
  judged: boolean;
  after: number;
  notes: string[];
  openErrors: OpenError[];
  /** The todos whose work it was begun on. Its work cannot continue on another foundation. */
  foundation: string[];
}

/** The progress of a plan over all its editions. `followPlan` owns it; the functions that run an edition add to it. */
export class PlanProgress {
  /** Results of todos that are done. */
  readonly results = new Map<string, TodoResult>();
  readonly begun = new Map<string, Begun>();
  /** The tree that each todo began from. */
  readonly origins = new Map<string, string>();
  /** Merged trees, by the todos in them. */
  readonly merged = new Map<string, string>();
  readonly tampering: string[] = [];
  readonly spent: string[] = [];
  /** Given tests that proved to be at fault in this edition, in their new form. */
  readonly rewritten: RewrittenTests[] = [];
  /** The contract, once its architect amended it. */
  contract: Contract | undefined;
  /** Over all editions: the replaced tests, and the rulings on tests that somebody blamed. */
  readonly replaced: ReplacedTest[] = [];
  readonly disputes: Dispute[] = [];
  /** Holds the work of all finished todos, where todos are worked on in turn. */
  tree: string;

  constructor(start: string) {
    this.tree = start;
  }

  get done(): ReadonlySet<string> {
    return new Set(this.results.keys());
  }

  /** Called when a todo ended or was called back. */
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

  /** Collects what was done to tests on the way. */
  note({ tampering, spent = [], rewritten = [], disputes = [], contract }: TodoResult): void {
    this.contract = contract ?? this.contract;
    this.tampering.push(...tampering);
    this.spent.push(...spent);
    this.rewritten.push(...rewritten);
    this.replaced.push(...rewritten.flatMap(({ replaced }) => replaced));
    this.disputes.push(...disputes);
  }

  /**
   * The tree that the next todo begins from. Unfinished work of the next todo itself is resumed elsewhere. Judged
   * unfinished work of another todo is the tree to begin from. Unjudged work is not: the next todo would treat it as
   * what was there before any coder came.
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

  /**
   * All todos are done, and their merged work was changed since. From now on this tree counts as the result of each of
   * them.
   */
  gather(tree: string): void {
    for (const [id, result] of this.results) this.results.set(id, { ...result, tree });
    this.merged.clear();
    this.tree = tree;
  }
}
