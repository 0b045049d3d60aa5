import { expect, test } from "vitest";
import { readCoverage } from "./read-coverage.ts";

const at = (line: number, end = line) => ({ start: { line, column: 0 }, end: { line: end, column: 9 } });

test("the head of a function that ran has run, though it is no statement", () => {
  // 1: function first([a,   2:   b]) {   3:   return a;   4: }   6: function never(a) {   7:   return a;   8: }
  const istanbul = {
    "/project/src/pairs.js": {
      statementMap: { 0: at(3), 1: at(7) },
      s: { 0: 2, 1: 0 },
      fnMap: { 0: { decl: at(1), loc: at(2, 4) }, 1: { decl: at(6), loc: at(6, 8) } },
      f: { 0: 2, 1: 0 },
    },
  };
  const { lines } = readCoverage([{ name: "coverage-final.json", text: JSON.stringify(istanbul) }], {
    paths: ["src/pairs.js"],
    read: () => null,
    root: "/project",
    isTestFile: () => false,
  });
  expect([...(lines.get("src/pairs.js")?.keys() ?? [])].toSorted()).toEqual([1, 2, 3]);
});

test("what runs in a started process belongs to the test file that started it, where one says so", () => {
  const ran = (url: string) => [
    { url: `file:///project/${url}`, functions: [{ ranges: [{ startOffset: 0, endOffset: 4, count: 1 }] }] },
  ];
  const file = (name: string, value: object) => ({ name: `${name}.json`, text: JSON.stringify(value) });
  const linesOf = (startedBy: string) =>
    readCoverage(
      [
        file("coverage-7-1-0", { result: [...ran("test/a.test.js"), ...ran("app.js")] }),
        file("coverage-8-1-0", { result: ran("app.js") }),
        file("started-8-0", { startedBy }),
      ],
      {
        paths: ["app.js"],
        read: () => "go()\n",
        root: "/project",
        isTestFile: (path) => path.startsWith("test/"),
      },
    ).lines.get("app.js");
  expect([...(linesOf("test/b.test.js")?.get(1) ?? [])]).toEqual(["test/a.test.js", "test/b.test.js"]);
  expect([...(linesOf("tool.js")?.get(1) ?? [])]).toEqual(["test/a.test.js", ""]);
});
