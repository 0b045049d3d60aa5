import { readTaskUsage } from "../../store/metrics.ts";
import type { Store } from "../../store/store.ts";
import { cost, count, elapsed, tokens } from "../text/amounts.ts";

/** What a task spent on whom and on what: its model calls by role, by phase and by model. */
export async function spendingLines(store: Store, task: string): Promise<string[]> {
  const lines: string[] = [];
  for (const by of ["role", "phase", "model"] as const) {
    const groups = [...(await readTaskUsage(store, task, by))];
    if (groups.length === 0) return [];
    lines.push(`  spent by ${by}`);
    const width = Math.max(...groups.map(([name]) => name.length));
    for (const [name, usage] of groups) {
      const price = usage.unpriced === usage.calls ? "no price" : cost(usage.costMicros);
      const used = tokens(usage.inputTokens + usage.outputTokens);
      lines.push(
        `    ${name.padEnd(width)}  ${price}, ${used}, ${count(usage.calls, "call")}, ${elapsed(usage.durationMs)}`,
      );
    }
  }
  return lines;
}
