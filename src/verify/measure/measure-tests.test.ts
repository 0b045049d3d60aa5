import { expect, test } from "vitest";
import { LIMITS, SampleProject } from "../../../test/sample-project.ts";
import { Python } from "../../languages/python/python.ts";
import { traceTests } from "../../languages/trace-tests.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { measureTests } from "./measure-tests.ts";

const language = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });

const CODE = `class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def length(self):
        return abs(self.x) + abs(self.y)
`;

const TOTAL = "def total(items):\n    items = sorted(items)\n    return sum(items)\n";

/** What the tests of two requirements notice. */
async function measure(kept: string) {
  const tests = `from point import Point\n\ndef test_kept():\n    ${kept}\n\ndef test_length():\n    assert Point(3, -4).length() == 7\n`;
  const measured = await measureOf({ "point.py": CODE }, tests, ["test_kept", "test_length"]);
  const values = measured.mutants?.results.filter(({ mutant }) => mutant.operator === "value") ?? [];
  return { states: measured.sensitivity.map(({ state }) => state), values: values.map(({ mutant }) => mutant.line) };
}

async function measureOf(code: Record<string, string>, tests: string, names: string[]) {
  const files: Record<string, string> = { ...code, "test_code.py": tests };
  using project = new SampleProject(files);
  await using sandbox = openSandbox({ backend: "bubblewrap" });
  const toolchain = await language.toolchain(project.directory);
  const read = (path: string) => files[path] ?? null;
  const around = { language, toolchain, sandbox, limits: LIMITS, signal: new AbortController().signal, read };
  const paths = Object.keys(code);
  const traced = await traceTests({ ...around, workspace: project.directory, files: [], paths });
  const workspace = { directory: project.directory, renew: async () => {} };
  return await measureTests({
    tree: { ...around, traced, parsers: new SyntaxParsers(), makeWorkspace: async () => workspace },
    changed: new Map(paths.map((path) => [path, [{ from: 1, to: 7 }]])),
    repeat: async () => null,
    mutants: {
      requirements: names.map((name, index) => ({ id: `R${index + 1}`, tests: [`test_code.py::${name}`] })),
      budgetMs: 60_000,
    },
  });
}

test("where tests notice nothing else, what a constructor keeps becomes another value", async () => {
  expect(await measure("assert Point(3, 4).x == 3")).toMatchObject({
    states: ["noticed", "noticed"],
    values: expect.arrayContaining([3, 4]),
  });
  expect(await measure("Point(3, 4)")).toMatchObject({ states: ["unnoticed", "noticed"] });
});

test("where all tests notice something, nothing more is tried", async () => {
  expect(await measure("assert Point(1, 1).length() == 2")).toEqual({ states: ["noticed", "noticed"], values: [] });
});

test("a test that an argument stays as it was notices a function that empties it, and others are not blamed for it", async () => {
  const measured = await measureOf(
    { "total.py": TOTAL },
    "from total import total\n\ndef test_kept():\n    items = [2, 1]\n    total(items)\n    assert items == [2, 1]\n" +
      "\ndef test_idle():\n    total([2, 1])\n",
    ["test_kept", "test_idle"],
  );
  expect(measured.sensitivity.map(({ state }) => state)).toEqual(["noticed", "unnoticed"]);
  const spoiled = measured.mutants?.results.filter(({ mutant }) => mutant.operator === "input") ?? [];
  expect(spoiled.map(({ fate, killedBy }) => [fate, killedBy])).toEqual([["killed", ["test_code.py::test_kept"]]]);
});
