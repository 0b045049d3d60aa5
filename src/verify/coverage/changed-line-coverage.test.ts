import { expect, test } from "vitest";
import { report } from "../../../test/report-builder.ts";
import { describeLines } from "../../domain/evidence/line-range.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { changedLineCoverage, testsOfLines, testsOfParts, watchedPaths } from "./changed-line-coverage.ts";
import { executableStatements } from "./executable-lines.ts";

const parsers = new SyntaxParsers();

const traced = (path: string, lines: Record<number, string[]>): TracedRun => ({
  report: report({ "test_a.py::test_x": "passed" }),
  lines: new Map([[path, new Map(Object.entries(lines).map(([line, tests]) => [Number(line), new Set(tests)]))]]),
  reason: "",
  modules: [],
});

async function statementsOf(grammar: "python" | "typescript" | "go", text: string): Promise<string> {
  const { root } = await parsers.parse(grammar, text);
  return describeLines(executableStatements(grammar, root, text));
}

test("Python: statements count, definitions, imports, docstrings, annotations and comments do not", async () => {
  const text = `"""Doc."""
import os
LIMIT: int = 3
size: int

class A:
    """Doc."""
    name = "a"

    def f(self, a,
          b):
        # why
        if (a and
                b):
            return [
                1,
            ]
        elif a:
            pass
        else:
            g(a)
        try:
            h()
        except ValueError:
            raise
`;
  expect(await statementsOf("python", text)).toBe("3, 8, 13–14, 15–17, 18, 21, 22, 23, 25");
});

test("TypeScript: what is only a type, a name or a bracket does not count", async () => {
  const text = `import a from "b";
interface A {
  b: number;
}
export function f(c: number): number {
  if (c > 1) {
    return 1;
  } else {
    g(
      c,
    );
  }
  return 2;
}
class B {
  d = 1;
  e() {
    return this.d;
  }
}
const h = (i: number) => {
  return i;
};
`;
  expect(await statementsOf("typescript", text)).toBe("6, 7, 9–11, 13, 16, 18, 21–23, 22");
});

test("Go: statements of functions count", async () => {
  const text = `package a
import "fmt"
func f(a int) int {
	if a > 1 {
		fmt.Println(a)
	}
	for i := 0; i < 3; i++ {
		a += i
	}
	return a
}
`;
  expect(await statementsOf("go", text)).toBe("4, 5, 7, 7, 7, 8, 10");
});

test("a changed line that no test runs is named", async () => {
  const text = "def f(a):\n    if a:\n        return [\n            1,\n        ]\n    # no\n    return 0\n";
  const coverage = await changedLineCoverage({
    changed: new Map([["a.py", [{ from: 2, to: 7 }]]]),
    read: () => text,
    traced: traced("a.py", { 1: [""], 2: ["t"], 7: ["t"] }),
    parsers,
  });
  expect(coverage).toEqual({
    files: [
      {
        available: true,
        path: "a.py",
        covered: [
          { from: 2, to: 2 },
          { from: 7, to: 7 },
        ],
        uncovered: [{ from: 3, to: 4 }],
      },
    ],
    share: 0.5,
  });
});

test("only lines that changed are looked at", async () => {
  const coverage = await changedLineCoverage({
    changed: new Map([["a.py", [{ from: 1, to: 1 }]]]),
    read: () => "a = 1\nb = 2\n",
    traced: traced("a.py", { 1: [""] }),
    parsers,
  });
  expect(coverage.files).toEqual([{ available: true, path: "a.py", covered: [{ from: 1, to: 1 }], uncovered: [] }]);
});

test("what is not known is said, and is no line covered", async () => {
  const changed = new Map([
    ["a.js", [{ from: 1, to: 1 }]],
    ["c.txt", [{ from: 1, to: 1 }]],
  ]);
  const unknown: TracedRun = {
    report: report({}),
    lines: null,
    reason: "vitest does not tell which lines run",
    modules: [],
  };
  const coverage = await changedLineCoverage({ changed, read: () => "a()\n", traced: unknown, parsers });
  expect(coverage).toEqual({
    files: [{ available: false, path: "a.js", reason: "vitest does not tell which lines run" }],
    share: null,
  });
  expect(watchedPaths(changed)).toEqual(["a.js"]);
  expect(testsOfLines(unknown, changed)).toBeNull();
});

test("a line that runs at import concerns every test of its file", () => {
  const run = traced("a.py", { 1: [""], 3: ["x"], 5: ["y"] });
  expect(testsOfLines(run, new Map([["a.py", [{ from: 3, to: 4 }]]]))).toEqual(["x"]);
  expect(testsOfLines(run, new Map([["a.py", [{ from: 1, to: 1 }]]]))).toEqual(["x", "y"]);
  expect(testsOfLines(run, new Map([["b.py", [{ from: 1, to: 1 }]]]))).toEqual([]);
});

test("the head of a function, which runs at import, concerns the tests that call it", () => {
  const run = traced("a.py", { 1: [""], 3: [""], 4: ["x"], 7: ["y"] });
  const head = { path: "a.py", lines: [{ from: 3, to: 3 }] };
  expect(testsOfParts(run, [{ ...head, callable: { from: 3, to: 5 } }])).toEqual(["x"]);
  expect(testsOfParts(run, [{ ...head, callable: null }])).toEqual(["x", "y"]);
});
