import { z } from "zod";
import { fail } from "../../domain/failure.ts";
import { isWithinShare, type Spent } from "../../domain/plan/budget-share.ts";
import { iterationStep, pathsOn, todoStrand } from "../../domain/task/step-path.ts";
import type { Budget } from "../hands/parts.ts";
import type { TodoGuard } from "../todo/todo-limits.ts";

/**
 * Divides money and tokens between todos that work at the same time. Only the ledger enforces the limit of the task.
 * The shares keep one todo from using up what the others need. A todo over its share waits until another todo is
 * settled, and the unused rest of that one is divided anew. When every running todo waits, nothing can come back, so
 * the budget is used up.
 */
export class BudgetShares {
  readonly #budget: Budget;
  /** Todos that are not settled, begun or not. */
  readonly #open: Set<string>;
  readonly #working = new Set<string>();
  #changed = Promise.withResolvers<void>();

  constructor(budget: Budget, todos: string[]) {
    this.#budget = budget;
    this.#open = new Set(todos);
  }

  get open(): string[] {
    return [...this.#open];
  }

  begin(todo: string): void {
    this.#working.add(todo);
  }

  /** The todo stops working: it is settled, or an error ended it. */
  leave(todo: string): void {
    this.#working.delete(todo);
    this.#wake();
  }

  settle(todo: string): void {
    this.#open.delete(todo);
    this.leave(todo);
  }

  /** Called before each iteration after the first. The first iteration is free for every todo. */
  guard(todo: string, signal: AbortSignal): TodoGuard {
    return async (run, state) => {
      if (state.phase !== "coding" || state.iteration < 2) return;
      const name = iterationStep(state.iteration, "share");
      if (run.isNext(name) === false) return;
      await run.step({ kind: "decision", name, input: { todo }, output: z.null(), durable: false }, async () => {
        await this.#untilWithinShare(todo, signal);
        return null;
      });
    };
  }

  async #untilWithinShare(todo: string, signal: AbortSignal): Promise<void> {
    const gone = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    gone.catch(() => {});
    for (;;) {
      const changed = this.#changed.promise;
      if (await this.#isWithinShare(todo)) break;
      this.#working.delete(todo);
      if (this.#working.size === 0) {
        this.#wake();
        throw usedUp(todo);
      }
      await Promise.race([changed, gone]);
    }
    this.#working.add(todo);
  }

  async #isWithinShare(todo: string): Promise<boolean> {
    const spent = new Map<string, Spent>();
    for (const id of this.#open) spent.set(id, await this.#budget.spent(pathsOn(todoStrand(id))));
    const own = spent.get(todo) ?? { costMicros: 0, tokens: 0 };
    return isWithinShare(await this.#budget.left(), own, [...spent.values()]);
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}

const usedUp = (todo: string) =>
  fail(
    "budget",
    "budget.share",
    `todo ${todo} has used its share of the budget, and nothing comes back from the others; raise --max-cost or --max-tokens and resume`,
  );
