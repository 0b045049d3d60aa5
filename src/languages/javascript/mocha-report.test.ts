import { expect, test } from "vitest";
import { readMochaReport } from "./mocha-report.ts";

const file = "/workspace/m/sum.test.js";
const adds = { title: "adds", fullTitle: "sum > adds", file, duration: 0, speed: "fast", err: {} };
const fails = {
  title: "fails",
  fullTitle: "sum > fails",
  file,
  duration: 1,
  err: { stack: "AssertionError [ERR_ASSERTION]: 3 == 4\n    at Context.<anonymous>", message: "3 == 4" },
};
const skipped = { title: "skipped", fullTitle: "sum > skipped", file, err: {} };
const hook = {
  title: '"before all" hook for "never"',
  fullTitle: 'sum > hooked > "before all" hook for "never"',
  file,
  duration: 0,
  err: { stack: "Error: no hook\n    at Context.<anonymous>", message: "no hook" },
};

/** As Mocha 12.0.3 wrote it for a group with each of these, but for what nobody reads. */
const MOCHA = { tests: [adds, fails, skipped], pending: [skipped], failures: [fails, hook], passes: [adds] };

test("reads what mocha reports; a hook that fails is an error of its own", () => {
  const { tests, ended } = readMochaReport(JSON.stringify(MOCHA));
  expect(ended).toBe(true);
  expect(tests.map(({ id, outcome }) => [id, outcome])).toEqual([
    ["m/sum.test.js::sum > adds", "passed"],
    ["m/sum.test.js::sum > fails", "failed"],
    ["m/sum.test.js::sum > skipped", "skipped"],
    ['m/sum.test.js::sum > hooked > "before all" hook for "never"', "error"],
  ]);
  expect(tests[1]?.message).toContain("3 == 4");
});

test("a test that is listed and neither passed nor failed is no pass", () => {
  const { tests } = readMochaReport(JSON.stringify({ ...MOCHA, passes: [] }));
  expect(tests[0]?.outcome).toBe("error");
});

test.each(["", "{", "[]", '{"tests":1}'])("what is no report holds no test: %s", (text) => {
  expect(readMochaReport(text)).toEqual({ tests: [], running: [], ended: false });
});
