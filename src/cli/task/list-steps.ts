import { type ListedStep, readStep, stepPage } from "../../app/task-steps.ts";
import type { App } from "../../app.ts";
import { fail } from "../../domain/failure.ts";
import { money, tokens } from "../text/amounts.ts";
import { printable, printableLines } from "../text/printable.ts";

const PAGE = 1000;

/** Every step of a task, those of older generations too, in the order of recording. */
export async function* listSteps(app: App, task: string): AsyncGenerator<ListedStep> {
  for (let after = -1; ; ) {
    const steps = await stepPage(app.store, task, after, PAGE);
    yield* steps;
    const last = steps.at(-1);
    if (!last || steps.length < PAGE) return;
    after = last.sequence;
  }
}

export function stepLine(step: ListedStep): string {
  const tookMs = Number(step.ended_at) - Number(step.started_at);
  const { usage, model } = step;
  const used = usage
    ? [tokens(usage.inputTokens + usage.outputTokens), money(usage.costMicros), model ?? ""].join("  ")
    : "";
  const parts = [
    String(step.sequence).padStart(5),
    step.kind.padEnd(12),
    step.path,
    `${tookMs} ms`,
    used,
    step.outcome === "ok" ? "" : "failed",
  ];
  return `${parts
    .filter((part) => part !== "")
    .map(printable)
    .join("  ")}\n`;
}

/** What one step was given and what came of it. */
export async function describeStep(app: App, task: string, wanted: string, json: boolean): Promise<string> {
  const step = await readStep(await app.recording(task), wanted);
  if (!step) {
    throw fail(
      "invalid-input",
      "step.unknown",
      `task ${task} has no step ${wanted}; \`miracle show ${task} --steps\` lists them`,
    );
  }
  if (json) return `${JSON.stringify(step)}\n`;
  const section = (name: string, value: unknown) => `${name}\n${printableLines(JSON.stringify(value, null, 2))}\n`;
  const head = `step ${step.sequence} ${step.path} (${step.kind}, ${step.outcome}, ${step.endedAt - step.startedAt} ms)`;
  return `${head}\n${section("input", step.input)}${section("output", step.output)}`;
}
