import { z } from "zod";
import type { Failure } from "../domain/failure.ts";
import type { Todo } from "../domain/plan.ts";
import { topsOf } from "../domain/plan-graph.ts";
import type { Strand } from "../journal/strand.ts";
import { BudgetShares } from "./budget-shares.ts";
import { bounded } from "./describe-red.ts";
import { type Conflict, Integration } from "./integrate.ts";
import type { EngineParts } from "./parts.ts";
import { below, type PlanWork, workFor } from "./plan-work.ts";
import { proveMerged } from "./prove-merged.ts";
import { route } from "./recover.ts";
import type { PlanEnd } from "./run-plan.ts";
import { scheduleTodos } from "./schedule-todos.ts";
import { settleRework, settleTodo } from "./settle-todo.ts";
import { TodoParts } from "./todo-parts.ts";
import type { TodoResult, TodoWork } from "./todo-work.ts";
import { type Worked, workOnTodo } from "./work-on-todo.ts";

/** Todos that do not depend on each other at once, each in checkouts of its own; what they left is merged in plan order. */
export async function runAtOnce(strand: Strand, parts: EngineParts, plan: PlanWork, limit: number): Promise<PlanEnd> {
  return new PlanRun(strand, parts, plan).run(limit);
}

/** A todo that did not fit and could not be done again on the merged tree. */
class ReworkFailed extends Error {
  readonly result: TodoResult;

  constructor(result: TodoResult) {
    super("a todo could not be worked again on the merged tree");
    this.result = result;
  }
}

const conflictFailure = ({ id }: Todo, paths: string[]): Failure => ({
  kind: "logic",
  code: "merge.conflict",
  message: `todo ${id} does not fit with what others did to ${paths.join(", ")}; let it depend on them`,
});

class PlanRun {
  readonly #strand: Strand;
  readonly #parts: EngineParts;
  readonly #plan: PlanWork;
  readonly #todoParts: TodoParts;
  readonly #shares: BudgetShares;
  readonly #trees: Integration;
  readonly #works = new Map<string, TodoWork>();
  readonly #results = new Map<string, TodoResult>();
  readonly #tampering: string[] = [];
  readonly #spent: string[] = [];
  readonly #reworks: string[] = [];

  constructor(strand: Strand, parts: EngineParts, plan: PlanWork) {
    this.#strand = strand;
    this.#parts = parts;
    this.#plan = plan;
    this.#todoParts = new TodoParts(parts);
    const { plan: graph } = plan.planned;
    this.#shares = new BudgetShares(
      parts.budget,
      graph.todos.map(({ id }) => id),
    );
    this.#trees = new Integration(strand, parts, {
      plan: graph,
      start: plan.start.tree,
      treeOf: (id) => this.#resultOf(id).tree,
      rework: (todo, conflict) => this.#rework(todo, conflict),
    });
  }

  async run(limit: number): Promise<PlanEnd> {
    const { plan } = this.#plan.planned;
    try {
      await scheduleTodos<Worked>(this.#strand, {
        plan,
        limit,
        begin: (todo, stop) => this.#begin(todo, stop),
        settle: (todo, worked) => this.#settle(todo, worked),
      });
      const failed = plan.todos.find(({ id }) => this.#results.get(id)?.settled.ok === false);
      return failed ? this.#endOf(failed) : await this.#merged();
    } catch (error) {
      if (!(error instanceof ReworkFailed)) throw error;
      return { result: this.#withTampering(error.result), work: this.#workOf(plan.todos[0]) };
    }
  }

  async #begin(todo: Todo, stop: AbortSignal): Promise<() => Promise<Worked>> {
    const done = below(this.#plan, todo);
    const tree = await this.#trees.of(done);
    const work = await workFor(this.#strand, this.#parts, this.#plan, { todo, tree, done });
    this.#works.set(todo.id, work);
    const own = this.#todoParts.of(todo, stop);
    this.#shares.begin(todo.id);
    return async () => {
      try {
        return await workOnTodo(own, todo, work, { guard: this.#shares.guard(todo.id, own.signal) });
      } finally {
        this.#todoParts.leave(todo);
        this.#shares.leave(todo.id);
      }
    };
  }

  async #settle(todo: Todo, { result, head }: Worked): Promise<"done" | "failed"> {
    this.#results.set(todo.id, result);
    this.#tampering.push(...result.tampering);
    this.#spent.push(...(result.spent ?? []));
    this.#shares.settle(todo.id);
    await settleTodo(this.#strand, this.#parts, todo, result, head);
    return result.settled.ok ? "done" : "failed";
  }

  /** The change was made beside others and does not fit: it is made again, on what they left. */
  async #rework(todo: Todo, { tree, onto, paths }: Conflict): Promise<string> {
    const failure = conflictFailure(todo, paths);
    const reworks = this.#reworks.filter((id) => id === todo.id).length;
    if (route(failure, { at: "merge", reworks }).action !== "rework") {
      throw new ReworkFailed({ ...this.#resultOf(todo.id), settled: { ok: false, failure } });
    }
    this.#reworks.push(todo.id);
    const done = new Set([...onto, ...below(this.#plan, todo)]);
    const work = await workFor(this.#strand, this.#parts, this.#plan, { todo, tree, done });
    const change = await this.#changeOf(todo);
    const notes = [
      `You have done this part before, beside others. Your change does not fit with what they did to ${paths.join(", ")}. Do it again on these files, and keep what they did. Your change was:\n${change}`,
    ];
    const own = this.#todoParts.of(todo, this.#parts.signal);
    const name = `todo:${todo.id}/rework:${this.#reworks.length}`;
    const { result } = await workOnTodo(own, todo, { ...work, notes }, { name });
    this.#todoParts.leave(todo);
    this.#tampering.push(...result.tampering);
    this.#spent.push(...(result.spent ?? []));
    if (!result.settled.ok) throw new ReworkFailed(result);
    await settleRework(this.#strand, this.#parts, todo, result.tree);
    return result.tree;
  }

  #changeOf(todo: Todo): Promise<string> {
    const input = { from: this.#workOf(todo).tree, to: this.#resultOf(todo.id).tree };
    const step = { kind: "tool", name: "change", input, output: z.string(), durable: false } as const;
    return this.#strand.step(step, async () => bounded(await this.#parts.artifacts.diff(input.from, input.to)));
  }

  /** All of them together. Where one todo stands on all others, its own gate has judged the whole. */
  async #merged(): Promise<PlanEnd> {
    const { todos } = this.#plan.planned.plan;
    const ids = new Set(todos.map(({ id }) => id));
    const [top, ...others] = topsOf(this.#plan.planned.plan, ids);
    if (top && others.length === 0) return this.#endOf(top);
    const tree = await this.#trees.of(ids);
    const work = await workFor(this.#strand, this.#parts, this.#plan, { tree, done: ids });
    const result = await proveMerged(this.#strand, this.#parts, work);
    return { result: this.#withTampering(result), work };
  }

  #endOf(todo: Todo): PlanEnd {
    return { result: this.#withTampering(this.#resultOf(todo.id)), work: this.#workOf(todo) };
  }

  #withTampering(result: TodoResult): TodoResult {
    const tampering = [...new Set([...this.#tampering, ...result.tampering])];
    return { ...result, tampering, spent: this.#spent };
  }

  #resultOf(id: string): TodoResult {
    const result = this.#results.get(id);
    if (!result) throw new Error(`todo ${id} has no result yet`);
    return result;
  }

  #workOf(todo: Todo | undefined): TodoWork {
    const work = todo && this.#works.get(todo.id);
    if (!work) throw new Error("a todo that has ended was begun");
    return work;
  }
}
