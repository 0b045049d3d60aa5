import { join } from "node:path";
import { expect, test } from "vitest";
import { buildMemory } from "../../test/memory-builder.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { taskMemory } from "./task-memory.ts";

const use = { control: 0, tokens: 500, scope: "project" as const };

test("what the work is about is found by words, of this project and with no model; what shares a word is not enough", async () => {
  const prose = {
    model: "never-2",
    threshold: 0.5,
    isLoaded: () => false,
    load: () => Promise.reject(new Error("loaded")),
    embed: () => Promise.reject(new Error("asked")),
  };
  const directory = temporaryDirectory();
  await using built = await buildMemory(join(directory, "m.db"), { prose });
  const task = taskMemory({ open: async () => built.memory, store: built.store, task: "t1", directory, use });
  const goal = "export invoices as CSV with a header line";
  const nothing = await taskMemory({
    open: () => Promise.reject(new Error("opened")),
    store: built.store,
    task: "t1",
    directory,
    use,
  }).recallAtOnce(goal, "python");
  expect(nothing).toEqual({ text: "", tokens: 0, shown: [], heldBack: [] });
  const once = (step: string) => ({ once: { task: "t0", step } });
  const shared = { scope: "global" as const, language: "python" };
  const pattern = { kind: "pattern" as const, plan: "", interfaces: "", codeTemplate: "", testTemplate: "", ...shared };
  await built.memory.keep(
    [
      {
        ...pattern,
        id: "alike",
        problemType: "feature in python",
        description: "export customers as CSV with a header",
      },
      { ...pattern, id: "other", problemType: "feature in python", description: "parse dates that customers write" },
    ],
    once("s1"),
  );
  await built.memory.keep(
    [
      {
        id: "met",
        error: "ValueError: x",
        goal: "export orders as CSV, with one header line",
        reason: "quote it",
        ...shared,
      },
      { id: "unmended", error: "KeyError: 'x'", goal, ...shared },
    ],
    once("s2"),
  );
  const { shown, text } = await task.recallAtOnce(goal, "python");
  expect(shown.map(({ id }) => id).sort()).toEqual(["alike", "met"]);
  expect(
    text
      .split("\n")
      .slice(1)
      .every((line) => line.startsWith("│ ")),
  ).toBe(true);
});
