import { expect, test } from "vitest";
import { z } from "zod";
import { gathered } from "../../test/evidence-builder.ts";
import { JournalBuilder } from "../../test/journal-builder.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { metricsLines } from "../cli/text/metrics-text.ts";
import type { EventBody } from "../domain/task/event.ts";
import { readMetrics, readTaskUsage } from "../store/metrics.ts";

const usage = { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10, costMicros: 250 };
const called: EventBody = {
  type: "model-called",
  role: "coder",
  model: "test/a",
  attempts: 2,
  usage,
  durationMs: 20.5,
};
const happened: EventBody[] = [
  called,
  { ...called, usage: { ...usage, costMicros: null } },
  { type: "tool-called", tool: "edit_file", subject: "a.py", ok: true, durationMs: 3 },
  { type: "safety-refused", what: "command", subject: "rm -rf /", reasons: [] },
  {
    type: "approval-answered",
    id: "a1",
    subject: "deps",
    question: "install it?",
    answer: { granted: true, by: "policy: --yes", at: 1, reason: "" },
  },
  {
    type: "approval-answered",
    id: "a2",
    subject: "deps",
    question: "install it?",
    answer: { granted: true, by: "ada", at: 1, reason: "" },
  },
  {
    type: "tests-run",
    scope: "gate",
    counts: { passed: 3, red: 1, skipped: 0 },
    passed: false,
    red: [],
    durationMs: 5,
  },
  { type: "task-settled", outcome: { status: "checked", tree: "x", delivery: { applied: true } } },
];

test("each iteration leaves its figures, with its phase and its error", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  const journal = await builder.create(store);
  const failure = { kind: "logic" as const, code: "tests.red", message: "red" };
  const iteration = { todo: "add", number: 2, outcome: "red" as const, tree: "x", passed: 3, red: ["a"], failure };
  const thought = { reflection: "it subtracts", hypothesis: "use +" };
  const settled = { ...iteration, ...thought, tokens: 70, durationMs: 1500 };
  await journal.run("task", (strand) =>
    strand.step({ kind: "tool", name: "iteration:2/code", input: null, output: z.null() }, async ({ emit }) => {
      emit({ type: "iteration-settled", iteration: settled });
      return null;
    }),
  );
  const rows = await store.read.selectFrom("metrics").select(["metric_type", "value", "metadata"]).execute();
  expect(rows.map(({ metric_type, value }) => [metric_type, Number(value)])).toEqual([
    ["iteration-seconds", 1.5],
    ["iteration-tokens", 70],
    ["iteration-pass-rate", 0.75],
  ]);
  expect(JSON.parse(rows[0]?.metadata ?? "")).toEqual({ todo: "add", iteration: 2, phase: "red", error: "logic" });
  const [kept] = await store.read.selectFrom("iterations").selectAll().execute();
  expect(kept).toMatchObject({
    todo: "add",
    iteration_num: 2,
    phase: "red",
    code_snapshot: "x",
    test_results: JSON.stringify({ passed: 3, red: ["a"] }),
    error_message: "red",
    reflection: "it subtracts",
    hypothesis: "use +",
    tokens_used: 70,
    duration_seconds: 1.5,
  });
});

test("what was refused on the way is no fault of the result", async () => {
  const { talliesOf } = await import("./tally.ts");
  const place = { path: "a.py", line: 1, column: 1, excerpt: "eval(x)" };
  const said = { message: "eval", instead: "call it" };
  const finding = { rule: "python.eval", kind: "code" as const, severity: "high" as const, ...place, ...said };
  const at = { task: "t1", number: 1, at: 1, step: "init" };
  const clean = (blocking: boolean[]) => {
    const scans = blocking.map((isBlocking) => ({ ...finding, blocking: isBlocking }));
    const tallies = talliesOf({ ...at, type: "evidence-gathered", evidence: gathered({ scans }) });
    return tallies.find(({ metric }) => metric === "result-clean")?.total;
  };
  expect([clean([]), clean([false]), clean([true, false])]).toEqual([1, 1, 0]);
});

test("a task is counted while it runs, by what its events say", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  const journal = await builder.create(store);
  await journal.run("task", (strand) =>
    strand.step({ kind: "tool", name: "iteration:2/code", input: null, output: z.null() }, async ({ emit }) => {
      for (const event of happened) emit(event);
      return null;
    }),
  );
  const counted = async () => ({
    metrics: await readMetrics(store, { since: 0 }, "all"),
    usage: await readTaskUsage(store, "t00000001", "phase"),
  });
  const live = await counted();
  expect(live.metrics.get("all")).toMatchObject({
    checked: 1,
    successRate: 1,
    testPassRate: 0.75,
    greenRuns: 0,
    humanInterventions: 1,
    refused: { command: 1 },
  });
  expect(live.usage.get("code")).toEqual({
    calls: 2,
    attempts: 4,
    inputTokens: 200,
    cachedTokens: 80,
    outputTokens: 20,
    costMicros: 250,
    unpriced: 1,
    durationMs: 42,
    tasks: 1,
  });
});

test("what is set aside for a call of which nobody knows is no use, and is counted apart", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  await builder.create(store);
  await store.write(async (tx) => {
    const row = { task_id: "t00000001", path: "p", created_at: 1 };
    await tx
      .insertInto("reservations")
      .values({ ...row, id: "a", micros: 250, tokens: 110, settled: 1 })
      .execute();
    await tx
      .insertInto("reservations")
      .values({ ...row, id: "b", micros: 900, tokens: 4000, settled: 0 })
      .execute();
    await tx.updateTable("tasks").set({ spent_micros: 1150, spent_tokens: 4110 }).execute();
  });
  const metrics = (await readMetrics(store, { since: 0 }, "all")).get("all");
  expect(metrics).toMatchObject({ tokens: 110, costMicros: 250, unsettledTokens: 4000, unsettledMicros: 900 });
  const lines = metrics ? metricsLines(metrics, null).join("\n") : "";
  expect(lines).toContain("110 tokens in all, and at most 4.0k tokens by calls that were cut off or are under way");
});
