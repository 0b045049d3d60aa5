import { expect, test } from "vitest";
import { toMetrics } from "../../domain/task/metrics.ts";
import { plotLines } from "./metrics-text.ts";
import { bar, sparkline, table } from "./plot.ts";

test("the highest value fills a column, nothing is a gap and zero is not", () => {
  expect(sparkline([8, 4, 1, 0, null])).toBe("█▄▁▁ ");
  expect(sparkline([0, 0])).toBe("▁▁");
  expect([bar(10, 10, 4), bar(1, 100, 4), bar(0, 10, 4), bar(1, 0, 4)]).toEqual(["████", "█", "", ""]);
});

test("a table sets names left and numbers right", () => {
  expect(
    table(
      ["day", "n"],
      [
        ["one", "1"],
        ["fourteen", "100"],
      ],
    ),
  ).toEqual(["day         n", "one         1", "fourteen  100"]);
});

test("a plot has a column for each day, also for those without a task", () => {
  const sums = { tasks: 2, proven: 1, checked: 0, notProven: 1, iterations: 3, costMicros: 5, tokens: 5, settledMs: 9 };
  const day = toMetrics({ ...sums, unsettledMicros: 0, unsettledTokens: 0, forks: 0 }, []);
  const lines = plotLines(
    new Map([
      ["2026-11-10", day],
      ["2026-11-13", day],
    ]),
    new Date("2026-11-14T12:00:00Z"),
  );
  expect(lines).toEqual([
    "  2026-11-10 to 2026-11-14, a column for each day",
    "  tasks    █  █   at most 2",
    "  success  █  █   at most 50 %",
    "  cost     █  █   at most $0.0000",
  ]);
  expect(plotLines(new Map(), new Date())).toEqual([]);
});
