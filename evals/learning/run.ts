// A simulation: what memory does for a model whose mistakes are known. `node evals/learning/run.ts`, options below.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ARMS, type ArmName, runArm } from "./arms.ts";
import { chart } from "./chart.ts";
import { BLOCK, byBlock, FOUND_OUT, harm, late, mean, type Outcomes, removed, smoothed } from "./figures.ts";
import { ASSUMED, type Assumed } from "./simulated-model.ts";
import { makeStream } from "./stream.ts";

const COLOURS: Record<ArmName, string> = {
  "no memory": "#777777",
  memory: "#1b7f3b",
  clean: "#8a6d00",
  poisoned: "#2456a6",
  "poisoned, unmeasured": "#c0392b",
};
const WINDOW = 15;

export async function simulate(seeds: number, tasks: number, assumed: Assumed = ASSUMED): Promise<Outcomes> {
  const outcomes: Outcomes = { "no memory": [], memory: [], clean: [], poisoned: [], "poisoned, unmeasured": [] };
  const directory = mkdtempSync(join(tmpdir(), "miracle-learning-"));
  try {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const stream = makeStream(seed, tasks);
      for (const arm of ARMS) outcomes[arm].push(await runArm(arm, stream, directory, assumed));
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return outcomes;
}

function report(outcomes: Outcomes, seeds: number, tasks: number, assumed: Assumed): string {
  const row = (name: string, values: number[], digits: number) =>
    `${name.padEnd(30)}${values.map((value) => value.toFixed(digits).padStart(8)).join("")}`;
  const blocks = Array.from({ length: Math.ceil(tasks / BLOCK) }, (_, block) => `–${(block + 1) * BLOCK}`.padStart(8));
  const { wrong, others } = removed(outcomes.poisoned);
  const own = removed(outcomes.memory).others;
  return [
    `SIMULATION: ${seeds} streams of ${tasks} tasks, 2 mistakes each, of 12 recurring causes. An iteration mends a mistake in`,
    `${assumed.alone} of cases alone, ${assumed.right} with the right lesson, ${assumed.wrong} with a wrong one, ${assumed.besides} with one that is about something else.`,
    "",
    `${"tasks".padEnd(30)}${blocks.join("")}`,
    ...ARMS.map((arm) =>
      row(
        `iterations, ${arm}`,
        byBlock(outcomes[arm], ({ iterations }) => iterations),
        2,
      ),
    ),
    ...ARMS.map((arm) =>
      row(
        `tokens, ${arm}`,
        byBlock(outcomes[arm], ({ tokens }) => tokens),
        0,
      ),
    ),
    row("harm, poisoned", harm(outcomes, "poisoned"), 2),
    row("harm, poisoned, unmeasured", harm(outcomes, "poisoned, unmeasured"), 2),
    "",
    ...eachStream(outcomes),
    "",
    "harm: iterations per task on the causes whose lesson is wrong, beyond what they take without memory",
    `poisoned: ${wrong[0]} of ${wrong[1]} wrong lessons and ${others[0]} of ${others[1]} right ones were taken out of use`,
    `memory: ${own[0]} of ${own[1]} lessons, all right, were taken out of use`,
    "",
  ].join("\n");
}

/** The claim does not rest on one stream, nor on a mean that one of them makes. */
function eachStream(outcomes: Outcomes): string[] {
  const iterations = late(outcomes, (task) => task.iterations);
  const tokens = late(outcomes, (task) => task.tokens);
  const shown = ["no memory", "clean", "poisoned", "poisoned, unmeasured"] as const;
  const line = (name: string, a: Record<ArmName, number>, b: Record<ArmName, number>) =>
    `${name.padEnd(10)}${shown.map((arm) => a[arm].toFixed(2).padStart(10)).join("")}  ${shown.map((arm) => b[arm].toFixed(0).padStart(10)).join("")}`;
  const meanOf = (rows: Record<ArmName, number>[], arm: ArmName) => mean(rows.map((row) => row[arm]));
  const means = (rows: Record<ArmName, number>[]): Record<ArmName, number> => ({
    "no memory": meanOf(rows, "no memory"),
    memory: meanOf(rows, "memory"),
    clean: meanOf(rows, "clean"),
    poisoned: meanOf(rows, "poisoned"),
    "poisoned, unmeasured": meanOf(rows, "poisoned, unmeasured"),
  });
  const better = iterations.filter((row) => row.poisoned < row["no memory"]).length;
  const heads = ["off", "clean", "poisoned", "unmeasured"].map((head) => head.padStart(10)).join("");
  return [
    `after task ${FOUND_OUT}: iterations, then tokens, per task of each stream; clean is the same memory without what is wrong`,
    `${"stream".padEnd(10)}${heads}  ${heads}`,
    ...iterations.map((row, at) => line(String(at + 1), row, tokens[at] ?? row)),
    line("mean", means(iterations), means(tokens)),
    `better than no memory in ${better} of ${iterations.length} streams`,
  ];
}

function curve(outcomes: Outcomes, seeds: number): string {
  const lines = ARMS.map((name) => ({
    name: name === "poisoned" ? "poisoned, measured" : name,
    colour: COLOURS[name],
    values: smoothed(outcomes[name], ({ iterations }) => iterations, WINDOW),
  }));
  return chart(
    "Simulation: iterations per task as memory learns",
    `a simulated model whose mistakes are known; mean of ${seeds} streams and of the last ${WINDOW} tasks`,
    "iterations per task",
    lines,
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "12" },
      tasks: { type: "string", default: "200" },
      alone: { type: "string", default: String(ASSUMED.alone) },
      wrong: { type: "string", default: String(ASSUMED.wrong) },
      right: { type: "string", default: String(ASSUMED.right) },
      svg: { type: "string" },
    },
  });
  const [seeds, tasks] = [Number(values.seeds), Number(values.tasks)];
  const alone = Number(values.alone);
  const assumed = { ...ASSUMED, alone, right: Number(values.right), wrong: Number(values.wrong), besides: alone * 0.9 };
  const outcomes = await simulate(seeds, tasks, assumed);
  process.stdout.write(report(outcomes, seeds, tasks, assumed));
  if (values.svg !== undefined) writeFileSync(values.svg, curve(outcomes, seeds));
}
