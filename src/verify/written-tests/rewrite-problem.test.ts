import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { rewriteProblem } from "./rewrite-problem.ts";

const KEPT = "def test_kept():\n    assert add(1, 1) == 2\n";
const old = {
  path: "tests/test_add.py",
  content: `from calc import add\n\n\n${KEPT}\n\ndef test_bad():\n    assert add(0, 1) == 2\n`,
  todo: "add",
  covers: [
    { test: "test_kept", requirement: "R1" },
    { test: "test_bad", requirement: "R2" },
  ],
};
const fresh = {
  ...old,
  content: `from calc import add\n\n\n${KEPT}\n\ndef test_good():\n    assert add(0, 1) == 1\n`,
  covers: [
    { test: "test_kept", requirement: "R1" },
    { test: "test_good", requirement: "R2" },
  ],
};
const parsers = new SyntaxParsers();
const problem = (change: Partial<typeof fresh & { heldOut: boolean }>) =>
  rewriteProblem(parsers, old, [{ ...fresh, ...change }], ["test_bad"]);

test("only the tests at fault may change, and their requirement must have a test again", async () => {
  expect(await problem({})).toBeUndefined();
  expect(await rewriteProblem(parsers, old, [], ["test_bad"])).toContain("exactly one file");
  expect(await problem({ path: "tests/test_other.py" })).toContain("the path stays");
  expect(await problem({ todo: "other" })).toContain("the todo stays");
  expect(await problem({ heldOut: true })).toContain("not heldOut");
  expect(await problem({ content: fresh.content.replace("== 2", "== 3") })).toContain("test_kept must stay");
  expect(await problem({ content: fresh.content.replace(KEPT, "") })).toContain("test_kept must stay");
  expect(await problem({ content: old.content })).toContain("test_bad says the same");
  expect(await problem({ covers: [{ test: "test_good", requirement: "R2" }] })).toContain("test_kept still covers R1");
  expect(await problem({ covers: [...fresh.covers.slice(0, 1)] })).toContain("no new test covers R2");
  expect(await problem({ covers: [...fresh.covers.slice(0, 1), { test: "test_kept", requirement: "R2" }] })).toContain(
    "no new test covers R2",
  );
  expect(await problem({ covers: [...fresh.covers, { test: "test_good", requirement: "R3" }] })).toContain("not R3");
});

test("a test of the same name in another group is another test", async () => {
  const group = (name: string, sum: number) =>
    `class ${name}:\n    def test_sum(self):\n        assert add(0, 1) == ${sum}\n`;
  const file = (first: number, second: number) => ({
    ...old,
    content: `from calc import add\n\n\n${group("TestOne", first)}\n\n${group("TestTwo", second)}`,
    covers: ["TestOne", "TestTwo"].map((name) => ({ test: `${name}::test_sum`, requirement: "R1" })),
  });
  const rewritten = (first: number, second: number) =>
    rewriteProblem(parsers, file(1, 2), [file(first, second)], ["TestTwo::test_sum"]);
  expect(await rewritten(1, 1)).toBeUndefined();
  expect(await rewritten(0, 1)).toContain("TestOne::test_sum must stay");
  expect(await rewritten(1, 2)).toContain("TestTwo::test_sum says the same");
});
