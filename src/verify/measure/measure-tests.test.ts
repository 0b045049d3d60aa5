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

/** What the tests of two requirements notice. */
async function measure(kept: string) {
  const tests = `from point import Point\n\ndef test_kept():\n    ${kept}\n\ndef test_length():\n    assert Point(3, -4).length() == 7\n`;
  const files: Record<string, string> = { "point.py": CODE, "test_point.py": tests };
  using project = new SampleProject(files);
  await using sandbox = openSandbox({ backend: "bubblewrap" });
  const toolchain = await language.toolchain(project.directory);
  const read = (path: string) => files[path] ?? null;
  const around = { language, toolchain, sandbox, limits: LIMITS, signal: new AbortController().signal, read };
  const traced = await traceTests({ ...around, workspace: project.directory, files: [], paths: ["point.py"] });
  const workspace = { directory: project.directory, renew: async () => {} };
  const measured = await measureTests({
    tree: { ...around, traced, parsers: new SyntaxParsers(), makeWorkspace: async () => workspace },
    changed: new Map([["point.py", [{ from: 1, to: 7 }]]]),
    repeat: async () => null,
    mutants: {
      requirements: [
        { id: "R1", tests: ["test_point.py::test_kept"] },
        { id: "R2", tests: ["test_point.py::test_length"] },
      ],
      budgetMs: 60_000,
    },
  });
  const values = measured.mutants?.results.filter(({ mutant }) => mutant.operator === "value") ?? [];
  return { states: measured.sensitivity.map(({ state }) => state), values: values.map(({ mutant }) => mutant.line) };
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
