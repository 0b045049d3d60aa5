import { z } from "zod";
import type { Metrics, UsageSums } from "../../domain/task/metrics.ts";
import { listBudgets, type MonthBudget } from "../../llm/month-budgets.ts";
import type { JobQueue, QueueFigures } from "../../queue/job-queue.ts";
import { readMetrics, readUsage, readUsageByDay } from "../../store/metrics.ts";
import type { Store } from "../../store/store.ts";
import { jsonRoute, NOTHING, type Route, textRoute } from "./route.ts";
import { Used } from "./usage-figures.ts";

const DAY_MS = 86_400_000;

/** The figures of `miracle metrics` over the last 30 days, as Prometheus reads them. */
export function metricsRoutes(
  store: Store,
  streams: { open: number },
  jobs: Pick<JobQueue, "figures" | "workers">,
): Route[] {
  return [
    textRoute(
      {
        method: "get",
        path: "/metrics",
        scope: "read",
        summary: "figures in Prometheus' text form, of tasks started within 30 days",
        params: NOTHING,
        query: NOTHING,
        body: NOTHING,
        media: "text/plain; version=0.0.4",
      },
      async () => {
        const window = { since: Date.now() - 30 * DAY_MS };
        return prometheusText({
          all: (await readMetrics(store, window, "all")).get("all") ?? null,
          byKind: await readMetrics(store, window, "kind"),
          byRole: await readUsage(store, window, "role"),
          openStreams: streams.open,
          queue: await jobs.figures(),
          workers: (await jobs.workers()).length,
          budgets: await listBudgets(store, Date.now()),
        });
      },
    ),
    jsonRoute(
      {
        method: "get",
        path: "/metrics/tasks",
        scope: "read",
        summary: "how tasks went, over time, by language, kind of goal or type of project",
        params: NOTHING,
        query: Window.extend({ by: z.enum(["all", "day", "language", "kind", "type"]).default("day") }),
        body: NOTHING,
        answers: z.object({ since: z.int(), groups: z.array(TaskFigures) }),
      },
      async ({ query: { days, by } }) => {
        const since = Date.now() - days * DAY_MS;
        const groups = [...(await readMetrics(store, { since }, by))];
        return { since, groups: groups.map(([key, metrics]) => ({ key, ...metrics })) };
      },
    ),
    jsonRoute(
      {
        method: "get",
        path: "/metrics/usage",
        scope: "read",
        summary: "what model calls took, over time, by role, model, phase or language",
        params: NOTHING,
        query: Window.extend({ by: z.enum(["role", "model", "phase", "language", "day"]).default("role") }),
        body: NOTHING,
        answers: z.object({ since: z.int(), groups: z.array(Used) }),
      },
      async ({ query: { days, by } }) => {
        const since = Date.now() - days * DAY_MS;
        const groups = [...(await readUsage(store, { since }, by))];
        return { since, groups: groups.map(([key, sums]) => ({ key, ...sums })) };
      },
    ),
    jsonRoute(
      {
        method: "get",
        path: "/metrics/usage/days",
        scope: "read",
        summary: "what model calls took on each day, by role, model, phase or language",
        params: NOTHING,
        query: Window.extend({ by: z.enum(["role", "model", "phase", "language"]).default("model") }),
        body: NOTHING,
        answers: z.object({ since: z.int(), groups: z.array(Used.extend({ day: z.iso.date() })) }),
      },
      async ({ query: { days, by } }) => {
        const since = Date.now() - days * DAY_MS;
        const groups = await readUsageByDay(store, { since }, by);
        return { since, groups: groups.map(({ day, key, sums }) => ({ day, key, ...sums })) };
      },
    ),
  ];
}

const Window = z.strictObject({
  days: z.coerce.number().int().min(1).max(3650).default(30).describe("Of tasks started within so many days"),
});

const share = z.number().nullable();
const counts = z.record(z.string(), z.int());

/** `Metrics` of one group. A share is null where nothing was counted. */
const TaskFigures = z.object({
  key: z.string(),
  tasks: z.int(),
  settled: z.int(),
  proven: z.int(),
  checked: z.int(),
  notProven: z.int(),
  forks: z.int(),
  successRate: share,
  iterationsToSuccess: share,
  iterationMs: share,
  taskMs: share,
  tokensPerTask: share,
  costPerTaskMicros: share,
  tokens: z.int(),
  costMicros: z.int(),
  unsettledTokens: z.int(),
  unsettledMicros: z.int(),
  testPassRate: share,
  greenRuns: share,
  flakyTests: z.int(),
  flakiness: share,
  mutationScore: share,
  coverage: share,
  refused: counts,
  safetyViolations: z.int(),
  sastScore: share,
  errors: counts,
  failures: counts,
  memoryHitRate: share,
  recalls: z.int(),
  humanInterventions: z.int(),
  todos: z.int(),
}) satisfies z.ZodType<Metrics & { key: string }>;

interface Figures {
  all: Metrics | null;
  byKind: Map<string, Metrics>;
  byRole: Map<string, UsageSums>;
  openStreams: number;
  queue: QueueFigures;
  workers: number;
  budgets: MonthBudget[];
}

type Sample = [labels: Record<string, string>, value: number | null | undefined];

/** A figure that nothing was counted for is left out: zero would be a claim. */
export function prometheusText({ all, byKind, byRole, openStreams, queue, workers, budgets }: Figures): string {
  const of = (amount: (budget: MonthBudget) => number | null) =>
    budgets.map((budget): Sample => [{ holder: budget.holder }, dollars(amount(budget))]);
  const { oldestMs, takeOvers, ...counts } = queue;
  const jobs = Object.entries(counts).map(([state, count]): Sample => [{ state }, count]);
  const kinds = [...byKind].map(([kind, { successRate }]): Sample => [{ task_type: kind }, successRate]);
  const times = [...byRole].map(
    ([role, { durationMs, tasks }]): Sample => [{ agent_role: role }, tasks === 0 ? null : durationMs / tasks / 1000],
  );
  const statuses = (["proven", "checked", "notProven"] as const).map(
    (status): Sample => [{ status: status === "notProven" ? "not-proven" : status }, all?.[status]],
  );
  return [
    gauge("task_pass_rate", "Share of settled tasks that were proven or checked, by kind of goal.", kinds),
    gauge("avg_iterations", "Iterations to success.", [[{}, all?.iterationsToSuccess]]),
    gauge("avg_time_per_task", "Seconds of model calls in a task, by role.", times),
    gauge("llm_cost_per_task", "Dollars.", [[{}, dollars(all?.costPerTaskMicros)]]),
    gauge("test_flakiness_rate", "Share of the proof's tests that changed their outcome from run to run.", [
      [{}, all?.flakiness],
    ]),
    gauge("miracle_tasks", "Settled tasks by verdict.", statuses),
    gauge("miracle_task_seconds", "Mean time from start to verdict.", [[{}, seconds(all?.taskMs)]]),
    gauge("miracle_open_streams", "Followers of events.", [[{}, openStreams]]),
    gauge("miracle_queue_jobs", "Jobs by state.", jobs),
    gauge("miracle_queue_oldest_seconds", "How long the oldest job has been waiting.", [[{}, seconds(oldestMs)]]),
    gauge("miracle_queue_take_overs", "Jobs that went on with another worker within a week.", [[{}, takeOvers]]),
    gauge("miracle_queue_workers", "Workers that were heard of lately.", [[{}, workers]]),
    gauge(
      "miracle_month_spent_dollars",
      "Spent and reserved in this month.",
      of(({ spentMicros }) => spentMicros),
    ),
    gauge(
      "miracle_month_budget_dollars",
      "What may be spent in a month.",
      of(({ limitMicros }) => limitMicros),
    ),
  ].join("");
}

function gauge(name: string, help: string, samples: Sample[]): string {
  const lines = samples.flatMap(([labels, value]) => {
    if (value === null || value === undefined) return [];
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
    return [`${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`];
  });
  return `${[`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines].join("\n")}\n`;
}

const escapeLabel = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

const dollars = (micros: number | null | undefined) => (micros == null ? null : micros / 1_000_000);
const seconds = (ms: number | null | undefined) => (ms == null ? null : ms / 1000);
