import { describe, expect, test } from "vitest";
import { gathered } from "../../../test/evidence-builder.ts";
import type { RunEnd } from "../../app/run-options.ts";
import type { SpeedReport } from "../../domain/evidence/speed.ts";
import type { Failure } from "../../domain/failure.ts";
import { EXIT } from "./exit-codes.ts";
import { exitCodeOfRun, resultLines } from "./result-text.ts";
import { emptyView, type ViewModel } from "./view-model.ts";

const task = "t000000001";
const failure: Failure = { kind: "logic", code: "tests.red", message: "2 tests stay red\u001b[31m" };
const view = {
  ...emptyView,
  directory: "/work",
  applied: ["a.py", "b.py"],
  calls: 2,
  tokens: 1500,
  costMicros: 20_000,
};

const ends: Record<string, RunEnd> = {
  proven: { task, ended: "settled", outcome: { status: "proven", tree: "r", delivery: { applied: true } } },
  kept: {
    task,
    ended: "settled",
    outcome: { status: "proven", tree: "r", delivery: { applied: false, reason: "not asked for" } },
  },
  unproven: { task, ended: "settled", outcome: { status: "not-proven", tree: "r", failure } },
  nothing: { task, ended: "settled", outcome: { status: "not-proven", tree: null, failure } },
  interrupted: { task, ended: "stopped", reason: "interrupted" },
  timeout: { task, ended: "stopped", reason: "timeout" },
  silent: { task, ended: "stopped", reason: "silent" },
  failed: { task, ended: "failed", failure: { kind: "environment", code: "model.no-key", message: "no key" } },
};

describe("the result of a run", () => {
  test.each([
    ["proven", EXIT.done, "proven: task t000000001: 2 files written", "miracle undo t000000001"],
    ["kept", EXIT.done, "not applied, as you asked", "miracle apply t000000001"],
    [
      "unproven",
      EXIT.notProven,
      "not proven: task t000000001: 2 tests stay red",
      "miracle apply --unproven t000000001",
    ],
    ["nothing", EXIT.notProven, "your directory is as it was", "miracle show t000000001"],
    ["interrupted", EXIT.interrupted, "everything up to here is kept", "miracle resume t000000001"],
    ["timeout", EXIT.limit, "out of time", "miracle resume t000000001 --timeout"],
    ["silent", EXIT.limit, "stopped by the watchdog", "miracle resume t000000001"],
    ["failed", EXIT.environment, "stopped: task t000000001", "miracle resume t000000001"],
  ])("%s says what it is and what to do next", (name, exit, verdict, next) => {
    const end = ends[name];
    if (!end) throw new Error(name);
    const text = resultText(end, view, 0);
    expect(text.trimEnd().split("\n").at(-1), "the verdict is last, in one line").toContain(verdict);
    expect(text).toContain(next);
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expect(exitCodeOfRun(end)).toBe(exit);
  });

  test("never says that all is green where obsolete tests are red, and says which", () => {
    const proven = ends.proven ?? { task, ended: "stopped", reason: "paused" };
    const told = { ...view, summaries: ["all tests pass"] };
    const red = { removed: ["t.py::test_a"], red: ["t.py::test_b", "t.py::test_c"] };
    const text = resultText(proven, { ...told, obsolete: red }, 0);
    expect(text).not.toContain("all tests pass");
    expect(text).toContain("obsolete tests, taken out of the result: t.py::test_a");
    expect(text.trimEnd()).toMatch(/2 files written; 2 obsolete tests are red: t\.py::test_b, t\.py::test_c$/);
    expect(resultText(proven, told, 0)).toContain("all tests pass");
  });

  test("says what was done, and what it took", () => {
    const finding = { severity: "medium" as const, path: "a.py", line: 3, message: "it overflows", instead: "" };
    const findings = { "a reviewer": [finding], "a auditor": [] };
    const done = { ...view, summaries: ["Added a and b."], iterations: 2, findings };
    const text = resultText(ends.proven ?? { task, ended: "stopped", reason: "paused" }, done, 0);
    expect(text).toContain("  Added a and b.\n");
    expect(text).toContain("\n  found by readers and left: a.py:3 medium: it overflows\n");
    expect(text).toContain("2 iterations · 2 model calls · 1.5k tokens · $0.02");
  });

  test("counts iterations by what limits them: each attempt has its own", () => {
    const four = { ...view, iterations: 4 };
    const say = (attempts: string[]) => resultText(ends.proven as RunEnd, { ...four, attempts }, 0);
    expect(say(["todo:a", "mend:1", "mend:2"])).toContain("4 iterations in 3 attempts · ");
    expect(say(["todo:a"])).toContain("4 iterations · ");
  });

  test("a goal about speed that nothing measured says so, and one that was measured says by how much", () => {
    const bare = { requirement: "R1", asked: null, factor: null, before: null, after: null, pairs: [] };
    const nothing = { ...bare, benchmark: null, verdict: "not-measured" as const, why: "no benchmark covers R1" };
    const spread = (median: number) => ({ median, low: median - 1, high: median + 1 });
    const figures = { factor: spread(4), before: spread(400), after: spread(100) };
    const faster = { ...bare, ...figures, benchmark: "bench/bench_x.py", verdict: "faster" as const, why: "" };
    const say = (status: "proven" | "checked", speed: SpeedReport) => {
      const evidence = gathered({ speed: [speed] });
      const outcome = { status, tree: "r", delivery: { applied: true as const } };
      return resultText({ task, ended: "settled", outcome }, { ...view, evidence }, 0);
    };
    expect(say("checked", nothing)).toMatch(
      /✗ R1 speed: only checked, not measured: no benchmark covers R1.*\nchecked: the tests are green, the speed of R1 was not measured \(task /s,
    );
    expect(say("proven", faster)).toContain("✓ R1 speed: 4.00 × as fast (3.00 to 5.00), 400 ms (399 to 401) before");
  });

  test("names the files, but not thousands of them", () => {
    const applied = Array.from({ length: 3000 }, (_, index) => `file-${index}`);
    const text = resultText(ends.proven ?? { task, ended: "stopped", reason: "paused" }, { ...view, applied }, 0);
    expect(text).toContain("3,000 files in /work:");
    expect(text).toContain("and 2980 more");
  });
});

test("a plan that was refused is no verdict on work, and a change that is talked about is not given up", () => {
  const declined: Failure = { kind: "policy", code: "declined.plan", message: "the plan was not approved" };
  const refused: RunEnd = { task, ended: "settled", outcome: { status: "not-proven", tree: null, failure: declined } };
  const [last] = resultLines(refused, view, 0).slice(-1);
  expect(last).toEqual({ text: "nothing was done: task t000000001: you did not want this plan", tone: "warn" });
  const delivery = { applied: false as const, reason: "declined" as const };
  const kept: RunEnd = { task, ended: "settled", outcome: { status: "proven", tree: "r", delivery } };
  expect(resultLines(kept, view, 0).at(-1)?.text).toMatch(/not applied, as you decided$/);
  expect(resultLines(kept, view, 0, { isContinued: true }).at(-1)?.text).toMatch(/not applied yet$/);
});

test("a free model has no price, and one without a known price says so", () => {
  const end = ends.proven ?? { task, ended: "stopped", reason: "paused" };
  const costs = (costMicros: number, costIsPartial: boolean) =>
    resultText(end, { ...view, costMicros, costIsPartial }, 0);
  expect(costs(0, false)).not.toMatch(/\$|price/);
  expect(costs(0, true)).toContain("no price known");
  expect(costs(20_000, true)).toContain("$0.02 and more");
});

const resultText = (end: RunEnd, seen: ViewModel, now: number): string =>
  resultLines(end, seen, now)
    .map(({ text }) => `${text}\n`)
    .join("");
