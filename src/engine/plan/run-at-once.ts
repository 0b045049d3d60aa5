import { z } from "zod";
import type { Failure } from "../../domain/failure.ts";
import { route } from "../../domain/loop/route-failure.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import { topsOf } from "../../domain/plan/plan-graph.ts";
import { editionStrand, reworkStrand, todoStrand } from "../../domain/task/step-path.ts";
import { bounded } from "../gate/describe-red.ts";
import type { Run } from "../hands/run.ts";
import { TodoRuns } from "../hands/todo-runs.ts";
import { withNote } from "../todo/attempt.ts";
import type { Listening, PlannedTodo, TodoResult, Worked } from "../todo/todo-work.ts";
import { settleYielded } from "../todo/yield-todo.ts";
import { BudgetShares } from "./budget-shares.ts";
import { type Conflict, Integration } from "./integrate.ts";
import { writeLent } from "./lent-todo.ts";
import { type Following, listeningTo, type PlanEnd, whole, withAll } from "./plan-end.ts";
import type { Begun, PlanProgress } from "./plan-progress.ts";
import { type BegunWork, beginTodo, below, type PlanWork, withRewrites } from "./plan-work.ts";
import { scheduleTodos } from "./schedule-todos.ts";
import { settleRework, settleTodo } from "./settle-todo.ts";
import { workOnTodo } from "./work-on-todo.ts";

/** Works on independent todos at the same time, each in its own checkouts. The results are merged in plan order. */
export async function runAtOnce(run: Run, plan: PlanWork, following: Following & { limit: number }): Promise<PlanEnd> {
  return new PlanRun(run, plan, following).run();
}

/** Thrown for a todo that did not fit and could not be redone on the merged tree. */
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
  readonly #run: Run;
  readonly #plan: PlanWork;
  readonly #todoRuns: TodoRuns;
  readonly #shares: BudgetShares;
  readonly #trees: Integration;
  readonly #begun = new Map<string, BegunWork<PlannedTodo>>();
  readonly #results = new Map<string, TodoResult>();
  readonly #progress: PlanProgress;
  readonly #updatable: boolean;
  /** Todos at once on one worker. */
  readonly #limit: number;
  readonly #reworks: string[] = [];
  /**
   * True once a todo came back because the plan is about to change. The others follow at the end of their iteration.
   */
  #isCalled = false;

  constructor(run: Run, plan: PlanWork, { progress, updatable, limit }: Following & { limit: number }) {
    this.#limit = limit;
    this.#progress = progress;
    this.#updatable = updatable;
    for (const [id, result] of progress.results) this.#results.set(id, result);
    this.#run = run;
    this.#plan = plan;
    this.#todoRuns = new TodoRuns(run);
    const { plan: graph } = plan.planned;
    this.#shares = new BudgetShares(
      run.parts.budget,
      graph.todos.map(({ id }) => id).filter((id) => !this.#results.has(id)),
    );
    this.#trees = new Integration(run, {
      plan: graph,
      start: plan.start.tree,
      merged: progress.merged,
      treeOf: (id) => this.#resultOf(id).tree,
      rework: (todo, conflict) => this.#rework(todo, conflict),
    });
  }

  async run(): Promise<PlanEnd> {
    const { plan } = this.#plan.planned;
    try {
      await scheduleTodos<Worked>(this.#run, {
        plan,
        limit: this.#limit * (1 + (await this.#helpers())),
        done: [...this.#results.keys()],
        begin: (todo, stop) => this.#begin(todo, stop),
        settle: (todo, worked) => this.#settle(todo, worked),
      });
      const yielded = plan.todos.filter(({ id }) => this.#results.get(id)?.yielded);
      const failed = plan.todos.find(({ id }) => this.#results.get(id)?.settled.ok === false);
      if (!failed) return await this.#merged();
      if (yielded.length === 0) return this.#endOf(failed);
      const update = yielded.map(({ id }) => this.#resultOf(id).yielded?.update).find((one) => one !== undefined);
      return { ...this.#endOf(failed), interrupted: { update } };
    } catch (error) {
      if (!(error instanceof ReworkFailed)) throw error;
      return { result: withAll(error.result, this.#progress), begun: this.#beginningOf(this.#anyTodo()) };
    }
  }

  /** Other workers that todos may be lent to. What is begun depends on it, so it is a step where there are any. */
  async #helpers(): Promise<number> {
    const { lending } = this.#run.parts;
    const isRecorded = this.#run.isNext("helpers");
    const found = isRecorded === undefined ? ((await lending?.helpers(this.#plan.language.name)) ?? 0) : 0;
    if (isRecorded !== true && found === 0) return 0;
    const step = { kind: "decision", name: "helpers", input: null, output: z.int(), durable: false } as const;
    return this.#run.step(step, async () => found);
  }

  async #begin(todo: Todo, stop: AbortSignal): Promise<() => Promise<Worked>> {
    const done = below(this.#plan, todo);
    const tree = await this.#trees.of(done);
    const { begun, notes = [] } = await this.#begunOf(todo, done);
    const { work, attempt } = await beginTodo(this.#run, this.#now, todo, { tree, done, begun });
    const begin = { work, attempt: notes.reduce(withNote, attempt) };
    this.#begun.set(todo.id, begin);
    const name = editionStrand(todoStrand(todo.id), this.#plan.edition);
    const isCalled = () => this.#isCalled;
    const updatable = this.#updatable;
    const listening = listeningTo(this.#run, this.#now, { done, updatable, isCalled });
    const own = this.#todoRuns.of(todo, stop);
    this.#shares.begin(todo.id);
    return async () => {
      try {
        const guard = this.#shares.guard(todo.id, own.parts.signal);
        const work = () => workOnTodo(own, begin, { name, guard, listening });
        const { lending, signal } = own.parts;
        const beginning = () => this.#lent(name, begin, listening.stand);
        const language = this.#plan.language.name;
        const offered = { id: todo.id, strand: name, language, places: this.#limit, beginning, isCalled };
        const worked = await (lending ? lending.around(offered, signal, work) : work());
        if (worked.result.yielded) this.#isCalled = true;
        return worked;
      } catch (error) {
        // One that has ended works until it is settled: what it leaves over comes back then, and others wait for it.
        this.#shares.leave(todo.id);
        throw error;
      } finally {
        this.#todoRuns.leave(todo);
      }
    };
  }

  /** A todo as it begins, for another worker. */
  #lent(name: string, begin: BegunWork<PlannedTodo>, stand: Listening["stand"]): string {
    const { base, remembered } = this.#run.parts.warden;
    return writeLent({ name, begin, stand, open: this.#shares.open, base, answers: remembered });
  }

  async #settle(todo: Todo, { result, head }: Worked): Promise<"done" | "failed"> {
    this.#results.set(todo.id, result);
    const foundation = [...below(this.#plan, todo)];
    this.#progress.settle(todo, result, { from: this.#beginningOf(todo).attempt.tree, foundation });
    this.#shares.settle(todo.id);
    if (result.yielded) {
      await settleYielded(this.#run, todo, result, head);
      return "failed";
    }
    await settleTodo(this.#run, todo, result, head);
    return result.settled.ok ? "done" : "failed";
  }

  /**
   * The todo's work from an earlier edition. It continues if its foundation is the same. Otherwise the coder is only
   * shown the old change.
   */
  async #begunOf(todo: Todo, done: ReadonlySet<string>): Promise<{ begun?: Begun; notes?: string[] }> {
    const begun = this.#progress.begun.get(todo.id);
    if (begun && isSame(begun.foundation, done)) return { begun };
    const lost = begun ?? this.#lostFor(todo);
    if (!lost) return {};
    const change = await this.#diff(lost.from, lost.tree);
    return {
      notes: [...lost.notes, `The plan has changed. What was made before, and is not in your files:\n${change}`],
    };
  }

  /** Unfinished work of a todo that the plan dropped. The first todo that is not done gets it. */
  #lostFor(todo: Todo): Begun | undefined {
    const { todos } = this.#plan.planned.plan;
    const lost = [...this.#progress.begun].find(([id]) => !todos.some((one) => one.id === id));
    if (!lost || todos.find(({ id }) => !this.#results.has(id))?.id !== todo.id) return undefined;
    this.#progress.begun.delete(lost[0]);
    return lost[1];
  }

  /** The change was made beside others and does not fit. It is made again on top of theirs. */
  async #rework(todo: Todo, { tree, onto, paths }: Conflict): Promise<string> {
    const failure = conflictFailure(todo, paths);
    const reworks = this.#reworks.filter((id) => id === todo.id).length;
    if (route(failure, { at: "merge", reworks }).action !== "rework") {
      throw new ReworkFailed({ ...this.#resultOf(todo.id), settled: { ok: false, failure } });
    }
    this.#reworks.push(todo.id);
    const done = new Set([...onto, ...below(this.#plan, todo)]);
    const { work, attempt } = await beginTodo(this.#run, this.#now, todo, { tree, done });
    const change = await this.#changeOf(todo);
    const note = `You have done this part before, beside others. Your change does not fit with what they did to ${paths.join(", ")}. Do it again on these files, and keep what they did. Your change was:\n${change}`;
    const own = this.#todoRuns.of(todo, this.#run.parts.signal);
    const name = reworkStrand(editionStrand(todoStrand(todo.id), this.#plan.edition), this.#reworks.length);
    const { result } = await workOnTodo(own, { work, attempt: withNote(attempt, note) }, { name });
    this.#todoRuns.leave(todo);
    this.#progress.note(result);
    if (!result.settled.ok) throw new ReworkFailed(result);
    await settleRework(this.#run, todo, result.tree);
    return result.tree;
  }

  #changeOf(todo: Todo): Promise<string> {
    return this.#diff(this.#progress.origins.get(todo.id) ?? this.#plan.start.tree, this.#resultOf(todo.id).tree);
  }

  #diff(from: string, to: string): Promise<string> {
    const input = { from, to };
    const step = { kind: "tool", name: "change", input, output: z.string(), durable: false } as const;
    return this.#run.step(step, async () => bounded(await this.#run.parts.artifacts.diff(input.from, input.to)));
  }

  /**
   * Merges and judges all todos together. If one todo depends on all others, its own gate has already judged the whole.
   */
  async #merged(): Promise<PlanEnd> {
    const { todos } = this.#plan.planned.plan;
    const ids = new Set(todos.map(({ id }) => id));
    const [top, ...others] = topsOf(this.#plan.planned.plan, ids);
    if (top && others.length === 0 && this.#begun.has(top.id)) return this.#endOf(top);
    return whole(this.#run, this.#plan, this.#progress, await this.#trees.of(ids));
  }

  #endOf(todo: Todo): PlanEnd {
    return { result: withAll(this.#resultOf(todo.id), this.#progress), begun: this.#beginningOf(todo) };
  }

  /** The first todo that was begun in this edition. */
  #anyTodo(): Todo | undefined {
    return this.#plan.planned.plan.todos.find(({ id }) => this.#begun.has(id));
  }

  /** The plan with the tests as the finished todos left them. */
  get #now(): PlanWork {
    return withRewrites(this.#plan, this.#progress);
  }

  #resultOf(id: string): TodoResult {
    const result = this.#results.get(id);
    if (!result) throw new Error(`todo ${id} has no result yet`);
    return result;
  }

  #beginningOf(todo: Todo | undefined): BegunWork<PlannedTodo> {
    const begun = todo && this.#begun.get(todo.id);
    if (!begun) throw new Error("a todo that has ended was begun");
    return begun;
  }
}

const isSame = (ids: string[], others: ReadonlySet<string>): boolean =>
  ids.length === others.size && ids.every((id) => others.has(id));
