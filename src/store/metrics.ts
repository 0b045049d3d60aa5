import { type RawBuilder, sql } from "kysely";
import { type Metrics, type TallySum, type TaskSums, toMetrics, type UsageSums } from "../domain/task/metrics.ts";
import type { Store } from "./store.ts";

/** The groups of tasks, and the groups of model calls. */
export type TaskGroup = "all" | "day" | "language" | "kind" | "type";
export type UsageGroup = "role" | "model" | "phase" | "language" | "day";

export interface MetricsWindow {
  /** Tasks that were started at or after this time. */
  since: number;
  /** One directory's tasks only. */
  directory?: string | undefined;
}

const DAY_MS = 86_400_000;

/**
 * Keys of days are dates, `2026-11-15`, in UTC. The number is written into the text, because some databases do not
 * treat a bound number as an integer.
 */
const taskKey: Record<TaskGroup, RawBuilder<string | number>> = {
  // Not a bare constant: a database may read that as the number of a column.
  all: sql`'all' || ''`,
  day: sql`tasks.created_at / ${sql.raw(String(DAY_MS))}`,
  language: sql`coalesce(tasks.language, 'unknown')`,
  kind: sql`coalesce(tasks.goal_kind, 'direct')`,
  type: sql`coalesce(tasks.project_type, 'none')`,
};

const usageKey: Record<UsageGroup, RawBuilder<string | number>> = {
  role: sql`usage.role`,
  model: sql`usage.model`,
  phase: sql`usage.phase`,
  language: taskKey.language,
  day: taskKey.day,
};

/**
 * Metrics by group, in the order of the keys. It sums rows per task, never events or steps, so its cost grows only with
 * the number of tasks in the window.
 */
export async function readMetrics(store: Store, window: MetricsWindow, by: TaskGroup): Promise<Map<string, Metrics>> {
  const key = taskKey[by];
  const settled = sql`tasks.settled_at is not null`;
  const succeeded = sql`tasks.status in ('proven', 'checked')`;
  const tasks = await within(store, window)
    .select([
      key.as("key"),
      sql<number>`count(*)`.as("tasks"),
      sql<number>`sum(case when tasks.status = 'proven' then 1 else 0 end)`.as("proven"),
      sql<number>`sum(case when tasks.status = 'checked' then 1 else 0 end)`.as("checked"),
      sql<number>`sum(case when tasks.status = 'not-proven' then 1 else 0 end)`.as("not_proven"),
      sql<number>`sum(case when ${succeeded} then tasks.iterations else 0 end)`.as("iterations"),
      sql<number>`sum(tasks.spent_micros)`.as("cost_micros"),
      sql<number>`sum(tasks.spent_tokens)`.as("tokens"),
      sql<number>`sum(case when ${settled} then tasks.settled_at - tasks.created_at else 0 end)`.as("settled_ms"),
      sql<number>`sum(case when tasks.forked_at is null then 0 else 1 end)`.as("forks"),
    ])
    .groupBy(key)
    .execute();
  const tallies = await within(store, window)
    .innerJoin("tallies", "tallies.task_id", "tasks.id")
    .select([
      key.as("key"),
      "tallies.metric",
      "tallies.label",
      sql<number>`sum(tallies.times)`.as("times"),
      sql<number>`sum(tallies.total)`.as("total"),
    ])
    .groupBy([key, "tallies.metric", "tallies.label"])
    .orderBy("tallies.metric")
    .orderBy("tallies.label")
    .execute();
  // Their worst case counts as spent, and nobody knows what they used.
  const unsettled = await within(store, window)
    .innerJoin("reservations", "reservations.task_id", "tasks.id")
    .where("reservations.settled", "=", 0)
    .select([
      key.as("key"),
      sql<number>`sum(reservations.micros)`.as("micros"),
      sql<number>`sum(reservations.tokens)`.as("tokens"),
    ])
    .groupBy(key)
    .execute();
  const unsettledOf = new Map(
    unsettled.map((row) => [String(row.key), { micros: Number(row.micros), tokens: Number(row.tokens) }]),
  );
  const byKey = Map.groupBy(tallies, (row) => String(row.key));
  const groups = tasks.map((row): [string, Metrics] => {
    const own = byKey.get(String(row.key)) ?? [];
    const unknown = unsettledOf.get(String(row.key)) ?? { micros: 0, tokens: 0 };
    const sums: TaskSums = {
      tasks: Number(row.tasks),
      proven: Number(row.proven),
      checked: Number(row.checked),
      notProven: Number(row.not_proven),
      iterations: Number(row.iterations),
      costMicros: Number(row.cost_micros) - unknown.micros,
      tokens: Number(row.tokens) - unknown.tokens,
      unsettledMicros: unknown.micros,
      unsettledTokens: unknown.tokens,
      settledMs: Number(row.settled_ms),
      forks: Number(row.forks),
    };
    return [nameOf(by, row.key), toMetrics(sums, own.map(toTally))];
  });
  return new Map(groups.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The usage of model calls by group: the most expensive first, days in their order. */
export async function readUsage(store: Store, window: MetricsWindow, by: UsageGroup): Promise<Map<string, UsageSums>> {
  const key = usageKey[by];
  const rows = await within(store, window)
    .innerJoin("usage", "usage.task_id", "tasks.id")
    .select([key.as("key"), ...USAGE, sql<number>`count(distinct usage.task_id)`.as("tasks")])
    .groupBy(key)
    .execute();
  const groups = rows.map((row): [string, UsageSums] => [nameOf(by, row.key), toUsage(row)]);
  const byCost = ([, a]: [string, UsageSums], [, b]: [string, UsageSums]) =>
    b.costMicros - a.costMicros || b.inputTokens + b.outputTokens - (a.inputTokens + a.outputTokens);
  return new Map(by === "day" ? groups.sort(([a], [b]) => (a < b ? -1 : 1)) : groups.sort(byCost));
}

/** The same for each day apart: days in their order, and within a day the most expensive first. */
export async function readUsageByDay(
  store: Store,
  window: MetricsWindow,
  by: Exclude<UsageGroup, "day">,
): Promise<{ day: string; key: string; sums: UsageSums }[]> {
  const rows = await within(store, window)
    .innerJoin("usage", "usage.task_id", "tasks.id")
    .select([taskKey.day.as("day"), usageKey[by].as("key"), ...USAGE])
    .select(sql<number>`count(distinct usage.task_id)`.as("tasks"))
    .groupBy([taskKey.day, usageKey[by]])
    .execute();
  return rows
    .map((row) => ({ day: nameOf("day", row.day), key: String(row.key), sums: toUsage(row) }))
    .sort((a, b) => (a.day === b.day ? b.sums.costMicros - a.sums.costMicros : a.day < b.day ? -1 : 1));
}

/** The usage of the model calls of one task. */
export async function readTaskUsage(
  store: Store,
  task: string,
  by: "role" | "model" | "phase",
): Promise<Map<string, UsageSums>> {
  const rows = await store.read
    .selectFrom("usage")
    .select([`usage.${by} as key`, ...USAGE, sql<number>`1`.as("tasks")])
    .where("task_id", "=", task)
    .groupBy(`usage.${by}`)
    .orderBy(`usage.${by}`)
    .execute();
  return new Map(rows.map((row) => [row.key, toUsage(row)]));
}

const USAGE = [
  sql<number>`sum(usage.calls)`.as("calls"),
  sql<number>`sum(usage.attempts)`.as("attempts"),
  sql<number>`sum(usage.input_tokens)`.as("input_tokens"),
  sql<number>`sum(usage.cached_tokens)`.as("cached_tokens"),
  sql<number>`sum(usage.output_tokens)`.as("output_tokens"),
  sql<number>`sum(usage.cost_micros)`.as("cost_micros"),
  sql<number>`sum(usage.unpriced)`.as("unpriced"),
  sql<number>`sum(usage.duration_ms)`.as("duration_ms"),
] as const;

function within(store: Store, { since, directory }: MetricsWindow) {
  const query = store.read.selectFrom("tasks").where("tasks.created_at", ">=", since);
  return directory === undefined ? query : query.where("tasks.directory", "=", directory);
}

function nameOf(by: TaskGroup | UsageGroup, key: string | number): string {
  return by === "day" ? new Date(Number(key) * DAY_MS).toISOString().slice(0, 10) : String(key);
}

const toTally = (row: TallySum): TallySum => ({
  metric: row.metric,
  label: row.label,
  times: Number(row.times),
  total: Number(row.total),
});

interface UsageRow {
  calls: number;
  attempts: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  cost_micros: number;
  unpriced: number;
  duration_ms: number;
  tasks: number;
}

const toUsage = (row: UsageRow): UsageSums => ({
  calls: Number(row.calls),
  attempts: Number(row.attempts),
  inputTokens: Number(row.input_tokens),
  cachedTokens: Number(row.cached_tokens),
  outputTokens: Number(row.output_tokens),
  costMicros: Number(row.cost_micros),
  unpriced: Number(row.unpriced),
  durationMs: Number(row.duration_ms),
  tasks: Number(row.tasks),
});
