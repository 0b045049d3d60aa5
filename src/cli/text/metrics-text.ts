import type { Metrics, UsageSums } from "../../domain/task/metrics.ts";
import { count, elapsed, grouped, money, tokens } from "./amounts.ts";
import { bar, sparkline, table } from "./plot.ts";

/** The effect of memory over all time: how much more often an iteration succeeds with it. */
interface MemoryEffect {
  uplift: number | null;
  interval: { low: number; high: number } | null;
}

/** All metrics of one group, one line each. */
export function metricsLines(metrics: Metrics, memory: MemoryEffect | null): string[] {
  const line = (name: string, text: string) => `  ${name.padEnd(11)} ${text}`;
  const { proven, checked, notProven, settled } = metrics;
  const forks = metrics.forks > 0 ? `, ${count(metrics.forks, "fork")}` : "";
  const code = percent(metrics.sastScore);
  return [
    line("tasks", `${grouped(metrics.tasks)}${forks}; ${count(metrics.todos, "todo")}`),
    line("success", `${percent(metrics.successRate)} of ${settled}: ${verdicts(proven, checked, notProven)}`),
    line("iterations", `${decimal(metrics.iterationsToSuccess)} to success, ${time(metrics.iterationMs)} each`),
    line("time", `${time(metrics.taskMs)} for a task`),
    line(
      "tokens",
      `${rounded(metrics.tokensPerTask, tokens)} for a task, ${tokens(metrics.tokens)} in all${unsettled(metrics.unsettledTokens, tokens)}`,
    ),
    line(
      "cost",
      `${rounded(metrics.costPerTaskMicros, money)} for a task, ${money(metrics.costMicros)} in all${unsettled(metrics.unsettledMicros, money)}`,
    ),
    line("tests", `${percent(metrics.testPassRate)} passed, ${percent(metrics.greenRuns)} of runs green`),
    line("flaky", `${count(metrics.flakyTests, "test")} (${percent(metrics.flakiness)})`),
    line("mutants", `${percent(metrics.mutationScore)} noticed`),
    line("coverage", `${percent(metrics.coverage)} of the changed lines`),
    line("errors", counts(metrics.errors)),
    line("not proven", counts(metrics.failures)),
    line("safety", `${count(metrics.safetyViolations, "refusal")}: ${counts(metrics.refused)}`),
    line("sast", `${code} of results without a new finding that blocks`),
    line("memory", `${percent(metrics.memoryHitRate)} of ${count(metrics.recalls, "recall")} hit${effect(memory)}`),
    line("people", count(metrics.humanInterventions, "intervention")),
  ];
}

/** Groups side by side: what can be compared at a glance, with a bar of what they cost. */
export function metricsTable(name: string, groups: Map<string, Metrics>): string[] {
  const entries = [...groups];
  const dearest = Math.max(0, ...entries.map(([, metrics]) => metrics.costMicros));
  const head = [name, "tasks", "success", "iterations", "time", "tokens", "cost", "tests", "refused", ""];
  const rows = entries.map(([key, metrics]) => [
    key,
    grouped(metrics.tasks),
    percent(metrics.successRate),
    decimal(metrics.iterationsToSuccess),
    time(metrics.taskMs),
    short(metrics.tokens),
    money(metrics.costMicros),
    percent(metrics.testPassRate),
    grouped(metrics.safetyViolations),
    bar(metrics.costMicros, dearest, 12).padEnd(12),
  ]);
  return table(head, rows).map((line) => `  ${line}`);
}

export function usageTable(name: string, groups: Map<string, UsageSums>): string[] {
  const entries = [...groups];
  const dearest = Math.max(0, ...entries.map(([, usage]) => usage.costMicros));
  const head = [name, "calls", "retries", "input", "cached", "output", "cost", "time", ""];
  const rows = entries.map(([key, usage]) => [
    key,
    grouped(usage.calls),
    grouped(usage.attempts - usage.calls),
    short(usage.inputTokens),
    short(usage.cachedTokens),
    short(usage.outputTokens),
    usage.unpriced === usage.calls ? "no price" : money(usage.costMicros),
    elapsed(usage.durationMs),
    bar(usage.costMicros, dearest, 12).padEnd(12),
  ]);
  return table(head, rows).map((line) => `  ${line}`);
}

/** Days side by side, those without a task as gaps. */
export function plotLines(days: Map<string, Metrics>, until: Date): string[] {
  const keys = daysBetween([...days.keys()][0], until);
  if (keys.length < 2) return [];
  const plot = (name: string, of: (metrics: Metrics) => number | null, highest: (value: number) => string) => {
    const values = keys.map((day) => {
      const metrics = days.get(day);
      return metrics ? of(metrics) : null;
    });
    const top = Math.max(0, ...values.map((value) => value ?? 0));
    return `  ${name.padEnd(8)} ${sparkline(values)}  at most ${highest(top)}`;
  };
  return [
    `  ${keys[0]} to ${keys.at(-1)}, a column for each day`,
    plot("tasks", ({ tasks }) => tasks, grouped),
    plot("success", ({ successRate }) => successRate, percent),
    plot("cost", ({ costMicros }) => costMicros, money),
  ];
}

const MOST_DAYS = 60;
const DAY_MS = 86_400_000;

function daysBetween(first: string | undefined, until: Date): string[] {
  if (first === undefined) return [];
  const last = Date.parse(until.toISOString().slice(0, 10));
  const start = Math.max(Date.parse(first), last - (MOST_DAYS - 1) * DAY_MS);
  const days = Math.max(0, Math.round((last - start) / DAY_MS) + 1);
  return Array.from({ length: days }, (_, day) => new Date(start + day * DAY_MS).toISOString().slice(0, 10));
}

const percent = (share: number | null): string => (share === null ? "–" : `${Math.round(share * 100)} %`);
const decimal = (value: number | null): string => (value === null ? "–" : value.toFixed(1));
const time = (milliseconds: number | null): string => (milliseconds === null ? "–" : elapsed(milliseconds));
const short = (value: number): string => tokens(value).replace(/ tokens$/, "");
const rounded = (value: number | null, say: (value: number) => string): string =>
  value === null ? "–" : say(Math.round(value));

/** What calls of which nobody knows may have used. */
const unsettled = (value: number, say: (value: number) => string): string =>
  value === 0 ? "" : `, and at most ${say(value)} by calls that were cut off or are under way`;

const verdicts = (proven: number, checked: number, notProven: number): string =>
  `${proven} proven, ${checked} checked, ${notProven} not proven`;

function counts(byName: Record<string, number>): string {
  const entries = Object.entries(byName).sort(([, a], [, b]) => b - a);
  return entries.length === 0 ? "none" : entries.map(([name, times]) => `${name} ${times}`).join(", ");
}

function effect(memory: MemoryEffect | null): string {
  if (memory?.uplift == null) return "";
  const points = (share: number) => `${share > 0 ? "+" : ""}${(share * 100).toFixed(0)}`;
  const { interval } = memory;
  const range = interval ? ` (${points(interval.low)} to ${points(interval.high)})` : "";
  return `; iterations won with it: ${points(memory.uplift)} points${range}, over all time`;
}
