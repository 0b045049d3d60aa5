import { expect, test } from "vitest";
import { toMetrics } from "../../domain/task/metrics.ts";
import { prometheusText } from "./metrics-routes.ts";

const sums = { tasks: 4, proven: 2, checked: 1, notProven: 1, iterations: 6, costMicros: 2_000_000, tokens: 10 };
const metrics = toMetrics({ ...sums, unsettledMicros: 0, unsettledTokens: 0, settledMs: 8000, forks: 0 }, []);
const usage = { calls: 1, attempts: 1, inputTokens: 1, cachedTokens: 0, outputTokens: 1, costMicros: 1, unpriced: 0 };

test("figures have the names of the service, in seconds and dollars", () => {
  const text = prometheusText({
    all: metrics,
    byKind: new Map([['fix "it"\\', metrics]]),
    byRole: new Map([["coder", { ...usage, durationMs: 3000, tasks: 2 }]]),
    openStreams: 5,
    queue: { ready: 3, delayed: 1, running: 2, dead: 0, oldestMs: 2500, takeOvers: 4 },
    workers: 2,
    budgets: [
      { holder: "person:anna", limitMicros: 5_000_000, spentMicros: 1_250_000 },
      { holder: "person:bert", limitMicros: null, spentMicros: 0 },
    ],
  });
  expect(text.split("\n").filter((line) => !line.startsWith("#"))).toEqual([
    'task_pass_rate{task_type="fix \\"it\\"\\\\"} 0.75',
    "avg_iterations 2",
    'avg_time_per_task{agent_role="coder"} 1.5',
    "llm_cost_per_task 0.5",
    'miracle_tasks{status="proven"} 2',
    'miracle_tasks{status="checked"} 1',
    'miracle_tasks{status="not-proven"} 1',
    "miracle_task_seconds 2",
    "miracle_open_streams 5",
    'miracle_queue_jobs{state="ready"} 3',
    'miracle_queue_jobs{state="delayed"} 1',
    'miracle_queue_jobs{state="running"} 2',
    'miracle_queue_jobs{state="dead"} 0',
    "miracle_queue_oldest_seconds 2.5",
    "miracle_queue_take_overs 4",
    "miracle_queue_workers 2",
    'miracle_month_spent_dollars{holder="person:anna"} 1.25',
    'miracle_month_spent_dollars{holder="person:bert"} 0',
    'miracle_month_budget_dollars{holder="person:anna"} 5',
    "",
  ]);
});

test("what nothing was counted for is left out, not zero", () => {
  const queue = { ready: 0, delayed: 0, running: 0, dead: 0, oldestMs: null, takeOvers: 0 };
  const none = { all: null, byKind: new Map(), byRole: new Map() };
  const text = prometheusText({ ...none, openStreams: 0, queue, workers: 1, budgets: [] });
  expect(text).toContain("# TYPE test_flakiness_rate gauge\n");
  expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
    "miracle_open_streams 0",
    ...["ready", "delayed", "running", "dead"].map((state) => `miracle_queue_jobs{state="${state}"} 0`),
    "miracle_queue_take_overs 0",
    "miracle_queue_workers 1",
  ]);
});
