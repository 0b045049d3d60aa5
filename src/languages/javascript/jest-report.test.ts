import { expect, test } from "vitest";
import { readJestReport } from "./jest-report.ts";

/** As Jest 30.5.2 wrote it for a file with four kinds of tests and one that cannot be loaded, but for what nobody reads. */
const JEST = {
  numFailedTestSuites: 2,
  testResults: [
    {
      name: "/workspace/test/sum.test.js",
      message: "  ● sum › fails",
      assertionResults: [
        { ancestorTitles: ["sum"], duration: 11, failureMessages: [], status: "passed", title: "adds" },
        {
          ancestorTitles: ["sum"],
          duration: 11,
          failureMessages: ["Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 4\nReceived: 3"],
          status: "failed",
          title: "fails",
        },
        { ancestorTitles: ["sum"], duration: null, failureMessages: [], status: "pending", title: "skipped" },
        { ancestorTitles: ["sum"], duration: null, failureMessages: [], status: "todo", title: "later" },
      ],
    },
    {
      name: "/workspace/test/broken.test.js",
      message: "  ● Test suite failed to run\n\n    Cannot find module './nowhere' from 'test/broken.test.js'",
      assertionResults: [],
    },
  ],
};

test("reads what jest reports; a file that cannot be loaded is an error", () => {
  const { tests, ended } = readJestReport(JSON.stringify(JEST));
  expect(ended).toBe(true);
  expect(tests.map(({ id, outcome }) => [id, outcome])).toEqual([
    ["test/broken.test.js::file", "error"],
    ["test/sum.test.js::sum > adds", "passed"],
    ["test/sum.test.js::sum > fails", "failed"],
    ["test/sum.test.js::sum > skipped", "skipped"],
    ["test/sum.test.js::sum > later", "skipped"],
  ]);
  expect(tests[0]?.message).toContain("Cannot find module './nowhere'");
  expect(tests[2]?.message).toContain("Expected: 4");
});

test.each(["", "{", "[]", '{"testResults":1}'])("what is no report holds no test: %s", (text) => {
  expect(readJestReport(text)).toEqual({ tests: [], running: [], ended: false });
});

test("numbers and lists are names of tests, as old versions of Jest take them", () => {
  const assertionResults = [{ ancestorTitles: [1], status: "passed", title: [2010, 6] }];
  const { tests } = readJestReport(JSON.stringify({ testResults: [{ name: "/workspace/a.js", assertionResults }] }));
  expect(tests.map(({ id }) => id)).toEqual(["a.js::1 > 2010,6"]);
});
