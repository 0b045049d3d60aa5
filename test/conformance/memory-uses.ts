import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { EventBody } from "../../src/domain/task/event.ts";
import { projectMemory } from "../../src/journal/project-memory.ts";
import { textCleaner } from "../../src/memory/clean-text.ts";
import { Memory } from "../../src/memory/memory.ts";
import { taskMemory } from "../../src/memory/task-memory.ts";
import { recordsUsedIn, useFigures, usesOf } from "../../src/memory/uses.ts";
import type { OpenedIndex } from "./memory-index.ts";

/** What every database must keep of the uses of memory. `open` gives a connection to an empty one. */
export function memoryUsesConformance(name: string, database: () => { open: () => Promise<OpenedIndex> }): void {
  describe(`uses of memory on ${name}`, () => {
    test("have the outcome of the iteration they reached, and count for patterns", async () => {
      const { store, memory } = await opened(database());
      const problem = { problemType: "feature in python", description: "add numbers", scope: "global" } as const;
      await memory.keep([
        { error: "KeyError: 'a'", id: "l1", scope: "global" },
        { ...problem, kind: "pattern", id: "p1" },
      ]);
      const tell = (body: EventBody) =>
        store.write((tx) => projectMemory(tx, { task: "t1", number: 1, at: 5, step: "s", ...body }));
      const recalled = { type: "memory-recalled", todo: "add", cause: "goal", tokens: 70 } as const;
      const found = { shown: [{ id: "p1", tokens: 40 }], heldBack: [{ id: "l1", tokens: 30 }] };
      await tell({ ...recalled, ...found, iteration: 1 });
      // A todo that starts over asks again, and nothing counts twice.
      await tell({ ...recalled, ...found, iteration: 1 });
      await tell({ ...recalled, shown: [], heldBack: [], tokens: 0, iteration: 2 });
      expect(await usesOf(store.read, "all")).toEqual([]);
      await tell({ type: "iteration-settled", iteration: iteration("add", 1, "green", 1000) });
      await tell({ type: "iteration-settled", iteration: iteration("other", 2, "red", 9000) });
      const use = { task: "t1", iteration: 1, won: true, at: 5 };
      expect(await usesOf(store.read, ["p1"])).toEqual([{ ...use, record: "p1", shown: true, tokens: 40 }]);
      expect(await usesOf(store.read, ["l1"])).toEqual([{ ...use, record: "l1", shown: false, tokens: 30 }]);
      expect(await recordsUsedIn(store.read, "t1")).toEqual(["l1", "p1"]);
      expect(await memory.get(["p1"])).toMatchObject([{ uses: 1, successRate: 1 }]);
      expect(await useFigures(store.read)).toMatchObject({ recalls: 2, hits: 1, tokens: 70, balance: { spent: 40 } });
      await store[Symbol.asyncDispose]();
    });

    test("a step that runs again after a crash has written once, and a fix counts as no other meeting", async () => {
      const { store, memory } = await opened(database());
      const lesson = { error: "ValueError: bad", scope: "global" } as const;
      const once = { task: "t1", step: "todo:add/iteration:1/learn/1" };
      const [first] = await memory.keep([lesson, { ...lesson, goal: "the same for another test" }], { once });
      const [again] = await memory.keep([lesson], { once });
      expect(again).toEqual(first);
      const fix = { ...lesson, diff: "- a\n+ b", reason: "b" };
      const later = { task: "t1", step: "todo:add/iteration:2/learn/1" };
      for (const _ of [1, 2]) await memory.keep([fix], { once: later, completes: true });
      await memory.keep([lesson], { once: { ...once, task: "t2" } });
      expect(await memory.get([first?.record.id ?? ""])).toMatchObject([{ seen: 2, reason: "b", diff: "- a\n+ b" }]);
      await store[Symbol.asyncDispose]();
    });

    test("a record that harms is taken out of use by the task in which that shows", async () => {
      const { store, memory } = await opened(database());
      await memory.keep([
        { error: "KeyError: 'a'", id: "bad", scope: "global", reason: "x" },
        { error: "TypeError: b", id: "new", scope: "global", reason: "y" },
      ]);
      const use = { control: 0.1, tokens: 400, scope: "project" } as const;
      const of = (task: string) =>
        taskMemory({ open: async () => memory, store, task, directory: "/nowhere", use }).retire();
      const row = { todo: "add", iteration_num: 1, tokens: 30, created_at: 1 };
      const uses = [..."LLLLLLLL"].map((_, at) => ({ ...row, task_id: `s${at}`, shown: 1, won: 0 }));
      const controls = [..."wwww"].map((_, at) => ({ ...row, task_id: `c${at}`, shown: 0, won: 1 }));
      await store.write(async (tx) => {
        for (const one of [...uses, ...controls])
          await tx
            .insertInto("memory_uses")
            .values({ record_id: "bad", ...one })
            .execute();
        await tx
          .insertInto("memory_uses")
          .values({ record_id: "new", ...row, task_id: "s7", shown: 1, won: 0 })
          .execute();
      });
      expect(await of("elsewhere")).toEqual([]);
      expect(await of("s7")).toMatchObject([{ id: "bad", status: "quarantined", uses: 12 }]);
      expect(await of("s7")).toEqual([]);
      const found = await memory.find({ kind: "lesson", error: "KeyError: 'a'", for: "any", limit: 5 });
      expect(found.map(({ id }) => id)).not.toContain("bad");
      await store[Symbol.asyncDispose]();
    });
  });
}

async function opened({ open }: { open: () => Promise<OpenedIndex> }) {
  const { store, index } = await open();
  const memory = await Memory.open({
    store,
    index,
    prose: null,
    clean: textCleaner((value) => value, null),
    clock: () => 1,
    newId: () => `m${randomBytes(8).toString("hex")}`,
    warn: () => {},
    mostRecords: 1000,
  });
  return { store, memory };
}

const iteration = (todo: string, number: number, outcome: "green" | "red", tokens: number) => ({
  number,
  todo,
  tree: "",
  outcome,
  passed: 0,
  red: [],
  tokens,
  durationMs: 0,
});
