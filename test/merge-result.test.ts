import { expect, test } from "vitest";
import { type FinishedResult, mergeResult } from "../src/app/merge-result.ts";
import { findTask } from "../src/store/tasks.ts";
import { AppBuilder, call } from "./app-builder.ts";

const CODE = "def half(n):\n    return n // 2\n\n\ndef twice(n):\n    return n * 2\n";
const TESTS = "from calc import half, twice\n\n\ndef test_both():\n    assert (half(4), twice(4)) == (2, 8)\n";
const UNSEEN = "from calc import half\n\n\ndef test_unseen():\n    assert half(3) == 1.5\n";

/** A task that made halves exact, while the person worked on, too. */
async function finished(now: Record<string, string>) {
  const builder = await AppBuilder.create(() => ({ toolCalls: [call("finish", { summary: "" })] }), {
    "calc.py": CODE,
    "test_calc.py": TESTS,
  });
  const app = await builder.open();
  const { task } = await builder.start(app, { apply: false }, builder.settings({ direct: true, accept: ["true"] }));
  const base = (await app.artifacts.importTree(task, builder.directory)).id;
  const result = app.artifacts.overlay(task, base, [{ path: "calc.py", content: CODE.replace("n // 2", "n / 2") }]);
  const full = app.artifacts.overlay(task, result, [{ path: "test_unseen.py", content: UNSEEN }]);
  builder.write(now);
  const summary = await findTask(app.store, task);
  const told: string[] = [];
  const merge = (change: Partial<FinishedResult> = {}, judge = true) =>
    mergeResult(
      app,
      summary,
      { base, result, full, language: "python", ...change },
      {
        settings: builder.settings(),
        signal: new AbortController().signal,
        onProgress: (text) => told.push(text),
        judge,
      },
    );
  const read = (tree: string, path: string) => app.artifacts.readFile(tree, path)?.toString("utf8");
  return { merge, read, told };
}

test("what the person and the task changed in one file is merged, and all tests judge it", async () => {
  const { merge, read, told } = await finished({ "calc.py": CODE.replace("n * 2", "n + n") });
  const { tree, now } = await merge();
  expect(read(tree, "calc.py")).toBe(CODE.replace("n // 2", "n / 2").replace("n * 2", "n + n"));
  expect(read(now, "calc.py")).toBe(CODE.replace("n * 2", "n + n"));
  expect(told.at(-1), "what judged it is told, the unseen test among them").toBe("merged: 2 tests passed");
  expect(read(tree, "test_unseen.py"), "unseen tests judge, and are not delivered by that").toBeUndefined();
});

test("a merged tree that turns a test red is not written, also where only an unseen one tells", async () => {
  const wraps = `${CODE}\n\nhalf = round(half(3)) and (lambda n: n // 2)\n`;
  const { merge } = await finished({ "calc.py": wraps });
  await expect(merge()).rejects.toMatchObject({
    failure: { code: "apply.merged-red", message: expect.stringContaining("test_unseen") },
  });
  expect(await merge({}, false), "unless the person wants it all the same").toMatchObject({ tree: expect.any(String) });
});

test("lines that both changed are named, and without a language nothing can judge", async () => {
  const both = await finished({ "calc.py": CODE.replace("n // 2", "int(n / 2)") });
  await expect(both.merge()).rejects.toMatchObject({
    failure: { code: "apply.conflict", message: expect.stringContaining("calc.py") },
  });
  const { merge } = await finished({ "other.py": "" });
  await expect(merge({ language: null })).rejects.toMatchObject({ failure: { code: "apply.unjudged" } });
});
