import { expect, test } from "vitest";
import { JournalBuilder } from "../../../test/journal-builder.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { Todo } from "../../domain/plan/plan.ts";
import type { Strand } from "../../journal/strand.ts";
import { BudgetShares } from "../plan/budget-shares.ts";
import { timeGuard } from "./todo-limits.ts";

const coding = (iteration: number) => ({ phase: "coding", iteration }) as const;

test("a todo's time is that of its work: what passes between two runs does not count", async () => {
  const builder = new JournalBuilder(temporaryDirectory("miracle-limits-"));
  const store = await builder.store();
  let now = 0;
  const todo = Todo.parse({ id: "a", title: "a", timeoutMs: 100 });
  const walk = async (strand: Strand, phases: number, each: number) => {
    const guard = timeGuard(todo, () => now);
    for (let phase = 1; phase <= phases; phase += 1) {
      now += each;
      await guard?.(strand, coding(phase));
    }
  };
  await (await builder.create(store)).run("todo:a", (strand) => walk(strand, 2, 40));
  now += 1_000_000;
  const resumed = await builder.resume(store);
  // Recorded: 40 and 80. The third phase has its 15 more, and the fourth is too late.
  await resumed.run("todo:a", (strand) => walk(strand, 3, 0));
  await expect(resumed.run("todo:a", (strand) => walk(strand, 5, 15))).rejects.toMatchObject({
    failure: { kind: "timeout", code: "todo.timeout" },
  });
  await store[Symbol.asyncDispose]();
});

test("over its share a todo waits for what others give back, and is told when nothing comes back", async () => {
  const builder = new JournalBuilder(temporaryDirectory("miracle-limits-"));
  const store = await builder.store();
  const journal = await builder.create(store);
  const spent: Record<string, number> = { "todo:a/": 70, "todo:b/": 10 };
  const shares = new BudgetShares(
    {
      left: async () => ({ costMicros: 40, tokens: null }),
      spent: async (prefix) => ({ costMicros: spent[prefix] ?? 0, tokens: 0 }),
    },
    ["a", "b"],
  );
  const { signal } = new AbortController();
  const ask = (todo: string, iteration: number) =>
    journal.run(`todo:${todo}`, (strand) => shares.guard(todo, signal)(strand, coding(iteration)));
  shares.begin("a");
  shares.begin("b");
  await ask("a", 1);
  await ask("b", 2);
  const order: string[] = [];
  const waiting = ask("a", 2).then(() => order.push("a goes on"));
  await new Promise(setImmediate);
  order.push("b is settled");
  shares.settle("b");
  await waiting;
  expect(order).toEqual(["b is settled", "a goes on"]);
  const alone = new BudgetShares(
    { left: async () => ({ costMicros: 0, tokens: null }), spent: async () => ({ costMicros: 1, tokens: 0 }) },
    ["c"],
  );
  alone.begin("c");
  const used = journal.run("todo:c", (strand) => alone.guard("c", signal)(strand, coding(2)));
  await expect(used).rejects.toMatchObject({ failure: { kind: "budget", code: "budget.share" } });
  await store[Symbol.asyncDispose]();
});
