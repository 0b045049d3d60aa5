// Starts processes: git merges.
import { expect, test } from "vitest";
import { JournalBuilder } from "../../../test/journal-builder.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { Plan } from "../../domain/plan/plan.ts";
import { ArtifactStore } from "../../workspace/artifact-store.ts";
import { Run } from "../hands/run.ts";
import { Integration } from "./integrate.ts";

const TASK = "t00000001";
const LINES = "one\ntwo\nthree\nfour\nfive\n";

/** Todos that change lines of one file; each is made from `from`. */
async function open(todos: { id: string; dependsOn?: string[] }[]) {
  const directory = temporaryDirectory("miracle-integrate-");
  const builder = new JournalBuilder(directory);
  const store = await builder.store();
  const journal = await builder.create(store, TASK);
  const artifacts = ArtifactStore.open(directory);
  const start = artifacts.putTree(TASK, (put) => ({
    entries: new Map([["f", { path: "f", kind: "file", id: put(Buffer.from(LINES)), permissions: 0o644 }]]),
    emptyDirectories: new Set(),
  }));
  const change = (tree: string, line: string, to: string) => {
    const text = artifacts.readFile(tree, "f")?.toString("utf8") ?? "";
    return artifacts.overlay(TASK, tree, [{ path: "f", content: text.replace(line, to) }]);
  };
  const plan = Plan.parse({ todos: todos.map((todo) => ({ title: "x", ...todo })) });
  const trees = new Map<string, string>();
  const reworked: string[] = [];
  const run = <T>(work: (integration: Integration) => Promise<T>) =>
    journal.run("task", (strand) =>
      work(
        new Integration(new Run(strand, { artifacts, journal }), {
          plan,
          start,
          treeOf: (id) => trees.get(id) ?? "",
          rework: async (todo, { tree, onto, paths }) => {
            reworked.push(`${todo.id} onto ${[...onto].sort()}: ${paths}`);
            return change(tree, "five", `five, ${todo.id}`);
          },
        }),
      ),
    );
  const read = (tree: string) => artifacts.readFile(tree, "f")?.toString("utf8");
  return { start, change, trees, run, read, reworked, close: () => store[Symbol.asyncDispose]() };
}

test("what stands on the same todo is merged over what it left, so that nothing of it is in the way", async () => {
  const { start, change, trees, run, read, reworked, close } = await open([
    { id: "base" },
    { id: "left", dependsOn: ["base"] },
    { id: "right", dependsOn: ["base"] },
  ]);
  const base = change(start, "three", "THREE");
  trees.set("base", base);
  trees.set("left", change(base, "one", "ONE"));
  // Over the very beginning this would be a conflict: both sides changed the third line.
  trees.set("right", change(change(base, "THREE", "3"), "five", "FIVE"));
  const tree = await run((integration) => integration.of(["left", "right"]));
  expect(read(tree)).toBe("ONE\ntwo\n3\nfour\nFIVE\n");
  expect(reworked).toEqual([]);
  await close();
});

test("what does not fit is worked again once, and everything that stands on it uses that", async () => {
  const { start, change, trees, run, read, reworked, close } = await open([
    ...[{ id: "a" }, { id: "b" }, { id: "c" }],
    { id: "d", dependsOn: ["a", "b"] },
  ]);
  trees.set("a", change(start, "one", "a"));
  trees.set("b", change(start, "one", "b"));
  trees.set("c", change(start, "three", "c"));
  const end = await run(async (integration) => {
    const under = await integration.of(["a", "b"]);
    trees.set("d", change(under, "a", "d"));
    expect(await integration.of(["b", "a"])).toBe(under);
    return integration.of(["a", "b", "c", "d"]);
  });
  expect(read(end)).toBe("d\ntwo\nc\nfour\nfive, b\n");
  expect(reworked).toEqual(["b onto a: f"]);
  await close();
});
