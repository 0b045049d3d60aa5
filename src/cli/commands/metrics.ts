import { type Command, Option } from "commander";
import { oneOf } from "../../config/parse-setting.ts";
import { useFigures } from "../../memory/uses.ts";
import { type MetricsWindow, readMetrics, readUsage } from "../../store/metrics.ts";
import type { Store } from "../../store/store.ts";
import { ageSetting, DAY_MS } from "../input/age-setting.ts";
import { checked } from "../input/options.ts";
import { openToLook } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { metricsLines, metricsTable, plotLines, usageTable } from "../text/metrics-text.ts";
import { printable } from "../text/printable.ts";

const GROUPS = ["day", "role", "language", "model", "kind", "type", "phase"] as const;
type Group = (typeof GROUPS)[number];

interface Flags {
  by?: Group;
  since: number;
  here?: boolean;
  json?: boolean;
}

const HELP = `
Tasks count for the day on which they were started (UTC), a fork only with what it used up itself. Success: proven or
checked, of those that came to a verdict. Memory's effect is that of all records against their controls, over all time.

Examples:
  miracle metrics --since 7d
  miracle metrics --by model
  miracle metrics --json | jq .summary.successRate`;

export function define(command: Command, { terminal }: CommandContext): void {
  command
    .option(
      "--by <group>",
      "only a table by day, role, language, model, kind (of goal), type (of project) or phase",
      checked(groupOf),
    )
    .addOption(
      new Option("--since <age>", "tasks started within this time: 7d, 12h")
        .argParser(checked(ageSetting))
        .default(30 * DAY_MS, "30d"),
    )
    .option("--here", "tasks of this directory only")
    .option("--json", "as JSON: the summary and every group")
    .addHelpText("after", HELP)
    .action(async (flags: Flags) => {
      await using opened = await openToLook(terminal);
      const { store } = opened.app;
      const now = Date.now();
      const window = { since: now - flags.since, ...(flags.here && { directory: terminal.directory }) };
      if (flags.json) {
        terminal.output.write(`${JSON.stringify(await everything(store, window, now))}\n`);
        return;
      }
      const lines = flags.by ? await groupLines(store, window, flags.by) : await overview(store, window, now);
      terminal.output.write(lines.map((line) => `${printable(line)}\n`).join(""));
    });
}

const groupOf = oneOf(...GROUPS);

async function groupLines(store: Store, window: MetricsWindow, by: Group): Promise<string[]> {
  if (by === "role" || by === "model" || by === "phase") return usageTable(by, await readUsage(store, window, by));
  return metricsTable(by, await readMetrics(store, window, by));
}

async function overview(store: Store, window: MetricsWindow, now: number): Promise<string[]> {
  const summary = (await readMetrics(store, window, "all")).get("all");
  if (!summary) return ["no tasks in this time; `--since 365d` looks further back"];
  const { balance } = await useFigures(store.read);
  const days = Math.round((now - window.since) / DAY_MS);
  const plot = plotLines(await readMetrics(store, window, "day"), new Date(now));
  return [
    days < 2 ? "metrics of the last day" : `metrics of the last ${days} days`,
    ...metricsLines(summary, balance),
    ...(plot.length > 0 ? ["", ...plot] : []),
    "",
    ...(await groupLines(store, window, "role")),
    "",
    ...(await groupLines(store, window, "model")),
    "",
    ...(await groupLines(store, window, "language")),
  ];
}

async function everything(store: Store, window: MetricsWindow, now: number) {
  const plain = <T>(groups: Map<string, T>) => Object.fromEntries(groups);
  const { balance } = await useFigures(store.read);
  return {
    since: new Date(window.since).toISOString(),
    until: new Date(now).toISOString(),
    summary: (await readMetrics(store, window, "all")).get("all") ?? null,
    memoryEffect: { uplift: balance.uplift, interval: balance.interval },
    byDay: plain(await readMetrics(store, window, "day")),
    byLanguage: plain(await readMetrics(store, window, "language")),
    byKind: plain(await readMetrics(store, window, "kind")),
    byType: plain(await readMetrics(store, window, "type")),
    byRole: plain(await readUsage(store, window, "role")),
    byModel: plain(await readUsage(store, window, "model")),
    byPhase: plain(await readUsage(store, window, "phase")),
    usageByDay: plain(await readUsage(store, window, "day")),
  };
}
