import { expect, test } from "vitest";
import { readTap } from "./tap-report.ts";

const outcomes = (text: string) => readTap(text)?.tests.map(({ id, outcome }) => `${id} ${outcome}`);

const TAPE = `TAP version 13
# adds
ok 1 should be equal
ok 2 should be equal
# subtracts
ok 3 should be equal
not ok 4 is exact
  ---
    operator: equal
    expected: 1
    actual:   2
  ...
# waits
ok 5 later # SKIP
# only a remark

1..5
# tests 5
# pass  4
# fail  1
`;

test("of tape each title is a test, red when one of its results is", () => {
  expect(outcomes(`\n#miracle-file test/a.js\n${TAPE}\n#miracle-exit 1\n`)).toEqual([
    "test/a.js::adds passed",
    "test/a.js::subtracts failed",
    "test/a.js::waits skipped",
  ]);
  const red = readTap(TAPE)?.tests.find(({ outcome }) => outcome === "failed");
  expect(red?.message).toContain("is exact");
  expect(red?.message).toContain("actual:   2");
});

test("of node-tap each file is a group, and tests within tests are named", () => {
  const text = `TAP version 14
# Subtest: test/a.ts
    # Subtest: adds
        ok 1 - should be equal
        1..1
    ok 1 - adds # time=3.5ms
    # Subtest: group
        # Subtest: inner
            not ok 1 - should be equal
              ---
              diff: |
                -1
              ...
            1..1
        not ok 1 - inner # time=1ms
        1..1
    not ok 2 - group # time=2ms
    1..2
not ok 1 - test/a.ts # time=200ms
not ok 2 - test/broken.ts # time=10ms
  ---
  exitCode: 1
  ...
1..2
`;
  expect(outcomes(text)).toEqual([
    "test/a.ts::adds passed",
    "test/a.ts::group > inner failed",
    "test/broken.ts::file error",
  ]);
});

test("a file that fails without a red result, or ends before its plan, is no pass", () => {
  const file = (text: string, exit: string) => outcomes(`#miracle-file a.js\n${text}\n#miracle-exit ${exit}\n`);
  expect(file("# t\nok 1 x\n1..1", "1")).toEqual(["a.js::t passed", "a.js::file error"]);
  expect(file("# t\nok 1 x", "0")).toEqual(["a.js::t passed", "a.js::file error"]);
  expect(file("SyntaxError: no", "1")).toEqual(["a.js::file error"]);
  expect(file("all is well", "0")).toEqual(["a.js::file passed"]);
  expect(outcomes("#miracle-file a.js\n# t\nok 1 x\n1..1\n")).toContain("a.js::file error");
  expect(readTap("TAP version 14\nok 1 - a\nok 2 - b\n")?.ended).toBe(false);
  expect(readTap("ok 1 - a\n1..1\n")).toMatchObject({ ended: true, tests: [{ id: "::a", outcome: "passed" }] });
});

test("what is no TAP is not read as such", () => {
  expect(readTap("")).toBeNull();
  expect(readTap("all tests passed\nok then\n")).toBeNull();
});
