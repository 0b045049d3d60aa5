import type { Bus } from "../bus/bus.ts";
import { ModelAnswer, ModelRequest } from "../domain/message.ts";
import type { Step } from "../domain/task/step.ts";
import { nameOf } from "../domain/task/step-path.ts";
import { newestSteps } from "../journal/fork.ts";
import { readFrozen } from "../journal/journal.ts";
import { unpack } from "../journal/pack.ts";
import type { Recording } from "../journal/recording.ts";
import { HttpPoster } from "../llm/http-post.ts";
import type { RunEnd } from "./run-options.ts";
import { spansOfRun, type TracedStep } from "./spans-of-run.ts";

type Environment = Record<string, string | undefined>;

/** A collector that the environment of the process names, as all programs that know OpenTelemetry read it. */
interface Collector {
  url: string;
  headers: Record<string, string>;
  timeoutMs: number;
}

const TIMEOUT_MS = 10_000;

/** Null: nobody wants spans. A project's `.env` cannot name one: what a run did is not for it to send away. */
function collectorOf(env: Environment): Collector | null {
  const own = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim();
  const shared = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim();
  const url = own || (shared && `${shared.replace(/\/+$/, "")}/v1/traces`);
  if (!url || env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") return null;
  const given = env.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? env.OTEL_EXPORTER_OTLP_HEADERS ?? "";
  const headers = given.split(",").flatMap((pair): [string, string][] => {
    const at = pair.indexOf("=");
    return at < 1 ? [] : [[pair.slice(0, at).trim().toLowerCase(), decoded(pair.slice(at + 1).trim())]];
  });
  const timeoutMs = Number(env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? env.OTEL_EXPORTER_OTLP_TIMEOUT);
  return { url, headers: Object.fromEntries(headers), timeoutMs: timeoutMs > 0 ? timeoutMs : TIMEOUT_MS };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface SpanSource {
  recording: Recording;
  env: Environment;
  version: string;
  bus: Bus;
}

/** Sends what this run of a task did, from its journal. A collector that does not answer takes nothing from the result. */
export async function sendSpans(
  { recording, env, version, bus }: SpanSource,
  { began, end }: { began: number; end: RunEnd },
): Promise<void> {
  const collector = collectorOf(env);
  if (!collector) return;
  const { task } = recording;
  try {
    const body = spansOfRun({
      task,
      version,
      service: env.OTEL_SERVICE_NAME?.trim() || "miracle",
      began,
      ended: Date.now(),
      ...outcomeOf(end),
      steps: await stepsSince(recording, began),
    });
    const { url, headers, timeoutMs } = collector;
    const posting = { url, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
    const signal = AbortSignal.timeout(timeoutMs);
    const reply = await new HttpPoster(env).post(posting, { signal, timeoutMs });
    for await (const _ of reply.body);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    bus.publish({ type: "notice", task, text: `spans of this run were not taken by the collector (${why})` });
  }
}

function outcomeOf(end: RunEnd): { outcome: string; isError: boolean } {
  if (end.ended === "settled") return { outcome: end.outcome.status, isError: end.outcome.status === "not-proven" };
  return end.ended === "failed"
    ? { outcome: end.failure.code, isError: true }
    : { outcome: end.reason, isError: false };
}

/** Steps that take time: calls of models, tools of roles, and what the engine does itself. */
async function stepsSince(recording: Recording, began: number): Promise<TracedStep[]> {
  const load = (hash: string) => recording.blob(hash);
  const { tools: offered } = await readFrozen(recording);
  const tools = new Set(Object.values(offered).flatMap((schemas) => schemas.map(({ name }) => name)));
  const steps = (await newestSteps(recording)).filter((step) => step.endedAt >= began);
  const traced: TracedStep[] = [];
  for (const step of steps) {
    if (step.kind === "model") traced.push(await modelStep(step, load));
    else if (step.kind === "tool")
      traced.push({ step, ...(tools.has(nameOf(step.path)) && { tool: nameOf(step.path) }) });
  }
  return traced;
}

async function modelStep(step: Step, load: (hash: string) => Promise<string>): Promise<TracedStep> {
  const request = ModelRequest.parse(await unpack(step.inputHash, load));
  if (step.outcome !== "ok") return { step, call: { request } };
  return { step, call: { request, answer: ModelAnswer.parse(await unpack(step.outputHash, load)) } };
}
