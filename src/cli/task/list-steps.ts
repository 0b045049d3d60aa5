import type { Selectable } from "kysely";
import type { App } from "../../app.ts";
import { fail } from "../../domain/failure.ts";
import type { Usage } from "../../domain/message.ts";
import type { Step } from "../../domain/task/step.ts";
import { newestSteps } from "../../journal/fork.ts";
import { unpack } from "../../journal/pack.ts";
import { readEvents } from "../../store/events.ts";
import type { Tables } from "../../store/tables.ts";
import { money, tokens } from "../text/amounts.ts";
import { printable, printableLines } from "../text/printable.ts";

const PAGE = 1000;

/** A step as it is listed: with what its model call used up. */
export type ListedStep = Selectable<Tables["steps"]> & { model?: string; usage?: Usage };

/** Every step of a task, those of older generations too, in the order of recording. */
export async function* listSteps(app: App, task: string): AsyncGenerator<ListedStep> {
  const calls = await modelCalls(app, task);
  for (let after = -1; ; ) {
    const rows = await app.store.read
      .selectFrom("steps")
      .selectAll()
      .where("task_id", "=", task)
      .where("sequence", ">", after)
      .orderBy("sequence")
      .limit(PAGE)
      .execute();
    for (const row of rows) yield { ...row, ...calls.get(`${row.path} ${Number(row.ended_at)}`) };
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.sequence;
  }
}

/** By the step and when it ended: a later generation may have called under the same path. */
async function modelCalls(app: App, task: string): Promise<Map<string, { model: string; usage: Usage }>> {
  const calls = new Map<string, { model: string; usage: Usage }>();
  for (let after = 0; ; ) {
    const events = await readEvents(app.store, task, after);
    for (const event of events) {
      if (event.type !== "model-called") continue;
      calls.set(`${event.step} ${event.at}`, { model: event.model, usage: event.usage });
    }
    const last = events.at(-1);
    if (!last) return calls;
    after = last.number;
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
  const recording = await app.recording(task);
  const steps = await newestSteps(recording);
  const step = steps.find(({ sequence, path }: Step) => path === wanted || String(sequence) === wanted);
  if (!step) {
    throw fail(
      "invalid-input",
      "step.unknown",
      `task ${task} has no step ${wanted}; \`miracle show ${task} --steps\` lists them`,
    );
  }
  const load = (hash: string) => unpack(hash, (blob) => recording.blob(blob));
  const [input, output] = [await load(step.inputHash), await load(step.outputHash)];
  if (json) return `${JSON.stringify({ ...step, input, output })}\n`;
  const section = (name: string, value: unknown) => `${name}\n${printableLines(JSON.stringify(value, null, 2))}\n`;
  const head = `step ${step.sequence} ${step.path} (${step.kind}, ${step.outcome}, ${step.endedAt - step.startedAt} ms)`;
  return `${head}\n${section("input", input)}${section("output", output)}`;
}
