import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FailureKind } from "../../domain/failure.ts";
import { EXIT, EXIT_MEANINGS, exitCodeOfFailure, exitCodeOfOutcome } from "./exit-codes.ts";

describe("exit codes", () => {
  test("have one meaning each", () => {
    expect(new Set(Object.values(EXIT)).size).toBe(Object.keys(EXIT).length);
    expect(Object.keys(EXIT_MEANINGS)).toHaveLength(Object.keys(EXIT).length);
  });

  test("are never 0 for any kind of failure", () => {
    for (const kind of FailureKind.options) expect(exitCodeOfFailure({ kind, code: "any.thing" })).toBeGreaterThan(0);
  });

  test.each([
    ["budget", "budget.cost", EXIT.budget],
    ["budget", "limit.iterations", EXIT.limit],
    ["logic", "loop.stuck", EXIT.limit],
    ["logic", "tests.red", EXIT.notProven],
    ["policy", "scope.outside", EXIT.refused],
    ["policy", "apply.conflict", EXIT.conflict],
    ["environment", "model.no-key", EXIT.environment],
    ["invalid-input", "config.invalid", EXIT.badInput],
    ["transient", "model.unreachable", EXIT.transient],
  ] as const)("tell a failure of kind %s with code %s", (kind, code, exit) => {
    expect(exitCodeOfFailure({ kind, code })).toBe(exit);
  });

  test("are 0 for a result that stands where the person wanted it", () => {
    const tree = "t";
    expect(exitCodeOfOutcome({ status: "proven", tree, delivery: { applied: true } })).toBe(0);
    expect(exitCodeOfOutcome({ status: "checked", tree, delivery: { applied: false, reason: "not asked for" } })).toBe(
      0,
    );
  });

  test("tell a proven result that could not be delivered", () => {
    const tree = "t";
    const outcome = (reason: "conflict" | "declined") =>
      exitCodeOfOutcome({ status: "proven", tree, delivery: { applied: false, reason } });
    expect(outcome("conflict")).toBe(EXIT.conflict);
    expect(outcome("declined")).toBe(EXIT.refused);
  });
});

test("docs/exit-codes.md has a row for each of them, and no other", () => {
  const page = readFileSync(new URL("../../../docs/exit-codes.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(rows).toEqual(Object.keys(EXIT_MEANINGS).map(Number));
});
