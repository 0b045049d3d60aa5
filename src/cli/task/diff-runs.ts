import type { App } from "../../app.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import { type Comparison, compareRecordings } from "../../journal/compare.ts";
import { count, elapsed, money, tokens } from "../text/amounts.ts";
import { printable } from "../text/printable.ts";

/** Two runs side by side: where they part, and what came of each. */
interface RunDifference {
  left: TaskSummary;
  right: TaskSummary;
  steps: Comparison;
  /** Paths whose contents differ between the two results; null when one of them has none. */
  files: string[] | null;
}

const SHOWN_FILES = 40;

export async function diffRuns(app: App, left: TaskSummary, right: TaskSummary): Promise<RunDifference> {
  const steps = await compareRecordings(await app.recording(left.id), await app.recording(right.id));
  const trees = [left.resultTree, right.resultTree];
  const [mine, theirs] = trees.map((tree) => (tree !== null && app.artifacts.has(tree) ? tree : null));
  const files = mine && theirs ? app.artifacts.changes(mine, theirs).map(({ path }) => path) : null;
  return { left, right, steps, files };
}

export function runDifferenceText({ left, right, steps, files }: RunDifference): string {
  const lines = [`${count(steps.same, "step")} with the same result in both`, ...firstLines(steps)];
  const rows: [string, (task: TaskSummary) => string][] = [
    ["task", (task) => task.id],
    ["verdict", (task) => task.status],
    ["failure", (task) => task.failure?.code ?? "none"],
    ["iterations", (task) => String(task.iterations)],
    ["tokens", (task) => tokens(task.tokens)],
    ["cost", (task) => money(task.costMicros)],
    ["time", (task) => elapsed(task.updatedAt - task.createdAt)],
    ["result", (task) => task.resultTree?.slice(0, 12) ?? "none"],
  ];
  const table = rows.map(([name, of]) => [name, of(left), of(right)]);
  const width = Math.max(...table.map(([, mine = ""]) => mine.length));
  lines.push(...table.map(([name = "", mine = "", theirs]) => `${name.padEnd(10)}  ${mine.padEnd(width)}  ${theirs}`));
  return `${[...lines, ...fileLines(files)].map(printable).join("\n")}\n`;
}

function firstLines({ first }: Comparison): string[] {
  if (!first) return ["the runs do not differ"];
  const { left, right, what } = first;
  const step = left ?? right;
  const other = left && right && left.path !== right.path ? `, the other ${right.path}` : "";
  return [
    `first difference: step ${step?.sequence} ${step?.path}${other} (${step?.kind}): ${what}`,
    ...first.differences.map((line) => `    ${line.replace("recorded ", "first ").replace(", now ", ", then ")}`),
  ];
}

function fileLines(files: string[] | null): string[] {
  if (files === null) return [];
  if (files.length === 0) return ["both results are the same tree"];
  const more = files.length - SHOWN_FILES;
  return [
    `${count(files.length, "file")} of the results ${files.length === 1 ? "differs" : "differ"}`,
    ...files.slice(0, SHOWN_FILES).map((path) => `    ${path}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}
