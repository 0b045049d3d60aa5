import { describe, expect, test } from "vitest";
import { readMetrics, readTaskUsage, readUsage, readUsageByDay } from "../../src/store/metrics.ts";
import { Store } from "../../src/store/store.ts";
import { type TestDatabase, taskRow } from "./store-database.ts";

const DAY = 86_400_000;
const MONDAY = Date.parse("2026-11-09T23:00:00Z");

/** Sums and groups are the same on every database. */
export function metricsConformance(name: string, database: () => TestDatabase | Promise<TestDatabase>): void {
  describe(`metrics in a store on ${name}`, () => {
    test("are summed over the tasks of a time, by day, language, role and model", async () => {
      const { open } = await database();
      await using store = await Store.open(open());
      await store.write(async (tx) => {
        const task = (id: string, at: number, more: object) => ({ ...taskRow(id, at), ...more });
        const done = { status: "proven", settled_at: MONDAY + 60_000, language: "python", goal_kind: "fix" };
        const rows = [
          task("told", MONDAY - 90 * DAY, done),
          task("ta", MONDAY, { ...done, iterations: 2, spent_micros: 3_000_000, spent_tokens: 9000 }),
          task("tb", MONDAY + DAY, {
            status: "not-proven",
            settled_at: MONDAY + DAY + 30_000,
            language: "go",
            project_type: "web_app",
          }),
          task("tc", MONDAY + DAY, { forked_at: 3 }),
        ];
        for (const row of rows) await tx.insertInto("tasks").values(row).execute();
        const call = { phase: "code", attempts: 2, input_tokens: 100, cached_tokens: 50, output_tokens: 10 };
        const paid = { ...call, cost_micros: 700, unpriced: 0, duration_ms: 1500 };
        await tx
          .insertInto("usage")
          .values([
            { task_id: "told", role: "coder", model: "a/x", calls: 100, ...paid },
            { task_id: "ta", role: "coder", model: "a/x", calls: 1, ...paid },
            { task_id: "ta", role: "tester", model: "a/y", calls: 1, ...paid },
            { task_id: "tb", role: "coder", model: "a/y", calls: 2, ...paid, cost_micros: 0, unpriced: 2 },
          ])
          .execute();
        const tally = (task_id: string, metric: string, label: string, times: number, total: number) => {
          return { task_id, metric, label, times, total };
        };
        await tx
          .insertInto("tallies")
          .values([
            tally("ta", "tests-passed", "gate", 2, 9),
            tally("ta", "tests-red", "gate", 2, 3),
            tally("ta", "tests-red", "red-check", 1, 50),
            tally("ta", "iteration", "green", 1, 1000.5),
            tally("ta", "iteration", "red", 1, 2000),
            tally("ta", "refused", "code", 4, 4),
            tally("ta", "result-clean", "", 1, 1),
            tally("tb", "result-clean", "", 2, 1),
            tally("tb", "refused", "command", 1, 1),
            tally("tb", "error", "logic", 3, 3),
            tally("told", "error", "logic", 99, 99),
          ])
          .execute();
      });
      const window = { since: MONDAY - 30 * DAY };
      const all = (await readMetrics(store, window, "all")).get("all");
      expect(all).toMatchObject({
        tasks: 3,
        settled: 2,
        successRate: 0.5,
        iterationsToSuccess: 2,
        iterationMs: 1500.25,
        taskMs: 45_000,
        forks: 1,
        costMicros: 3_000_000,
        testPassRate: 0.75,
        errors: { logic: 3 },
        refused: { code: 4, command: 1 },
        safetyViolations: 5,
        memoryHitRate: null,
      });
      const byType = await readMetrics(store, window, "type");
      expect([...byType].map(([type, { tasks, successRate }]) => [type, tasks, successRate])).toEqual([
        ["none", 2, 1],
        ["web_app", 1, 0],
      ]);
      // What was refused on the way says nothing of the result.
      expect(all?.sastScore).toBeCloseTo(2 / 3);
      const apart = await readUsageByDay(store, window, "model");
      expect(apart.map(({ day, key, sums }) => [day, key, sums.calls, sums.tasks])).toEqual([
        ["2026-11-09", expect.stringMatching(/^a\/[xy]$/), 1, 1],
        ["2026-11-09", expect.stringMatching(/^a\/[xy]$/), 1, 1],
        ["2026-11-10", "a/y", 2, 1],
      ]);
      const days = await readMetrics(store, window, "day");
      expect([...days].map(([day, { tasks }]) => [day, tasks])).toEqual([
        ["2026-11-09", 1],
        ["2026-11-10", 2],
      ]);
      expect([...(await readMetrics(store, window, "language")).keys()]).toEqual(["go", "python", "unknown"]);
      expect((await readMetrics(store, { ...window, directory: "/elsewhere" }, "all")).size).toBe(0);
      const models = await readUsage(store, window, "model");
      expect([...models].map(([model, usage]) => [model, usage.calls, usage.unpriced, usage.tasks])).toEqual([
        ["a/y", 3, 2, 2],
        ["a/x", 1, 0, 1],
      ]);
      expect([...(await readUsage(store, window, "role")).keys()]).toEqual(["coder", "tester"]);
      expect((await readTaskUsage(store, "ta", "role")).get("tester")).toMatchObject({ costMicros: 700, attempts: 2 });
    });
  });
}
