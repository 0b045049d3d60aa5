import type { ModelAnswer, ModelRequest } from "../domain/message.ts";
import type { Step } from "../domain/task/step.ts";
import { nameOf } from "../domain/task/step-path.ts";
import { sha256 } from "../journal/hash.ts";

/*
 * A run of a task as OpenTelemetry spans, in the JSON of OTLP. Attributes are those of the conventions for generative AI. What was
 * asked and answered is not in them: a collector is no place for code and prompts.
 */

/** A recorded step with what its span tells of it; `answer` is absent where it failed. */
export interface TracedStep {
  step: Step;
  call?: { request: Pick<ModelRequest, "role" | "parameters">; answer?: ModelAnswer };
  /** The tool of a role that was used. */
  tool?: string;
}

export interface TracedRun {
  task: string;
  /** Of Miracle. */
  version: string;
  service: string;
  /** Epoch milliseconds. */
  began: number;
  ended: number;
  /** How it ended: `proven`, `paused`, a failure's code. */
  outcome: string;
  isError: boolean;
  steps: TracedStep[];
}

type Value = string | number | string[];

const INTERNAL = 1;
const CLIENT = 3;
const ERROR = 2;
const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;

/** The body of one request to `/v1/traces`. All runs of a task are one trace. Pure. */
export function spansOfRun(run: TracedRun): object {
  const { task, version, service, began, ended, outcome, isError, steps } = run;
  const traceId = sha256(`trace ${task}`).slice(0, TRACE_DIGITS);
  const spanId = sha256(`run ${task} ${began}`).slice(0, SPAN_DIGITS);
  const whole = {
    traceId,
    spanId,
    name: "invoke_agent miracle",
    kind: INTERNAL,
    ...times(began, ended),
    attributes: attributes({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "miracle",
      "gen_ai.agent.version": version,
      "gen_ai.conversation.id": task,
      "miracle.outcome": outcome,
    }),
    status: isError ? { code: ERROR, message: outcome } : {},
  };
  const parts = steps.map((traced) => {
    const { path, hash, startedAt, endedAt } = traced.step;
    const { name, kind, told } = describe(traced, task);
    return {
      traceId,
      spanId: sha256(`step ${task} ${hash}`).slice(0, SPAN_DIGITS),
      parentSpanId: spanId,
      name,
      kind,
      ...times(startedAt, endedAt),
      attributes: attributes({ ...told, "gen_ai.conversation.id": task, "miracle.step": path }),
      status: traced.step.outcome === "ok" ? {} : { code: ERROR },
    };
  });
  return {
    resourceSpans: [
      {
        resource: { attributes: attributes({ "service.name": service, "service.version": version }) },
        scopeSpans: [{ scope: { name: "miracle", version }, spans: [whole, ...parts] }],
      },
    ],
  };
}

function describe({ step, call, tool }: TracedStep, task: string): { name: string; kind: number; told: object } {
  if (tool !== undefined) {
    const told = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool, "gen_ai.tool.type": "function" };
    return { name: `execute_tool ${tool}`, kind: INTERNAL, told };
  }
  if (!call) return { name: nameOf(step.path) || task, kind: INTERNAL, told: {} };
  const { request, answer } = call;
  const asked = { "gen_ai.operation.name": "chat", "gen_ai.agent.name": request.role };
  if (!answer) return { name: "chat", kind: CLIENT, told: asked };
  const [provider = "", ...rest] = answer.model.split("/");
  const model = rest.join("/");
  const { usage } = answer;
  return {
    name: `chat ${model}`,
    kind: CLIENT,
    told: {
      ...asked,
      // Their name for the provider that we call google.
      "gen_ai.provider.name": provider === "google" ? "gcp.gemini" : provider,
      "gen_ai.request.model": model,
      "gen_ai.response.model": model,
      "gen_ai.request.max_tokens": request.parameters.maxOutputTokens,
      "gen_ai.response.finish_reasons": [answer.finish],
      "gen_ai.usage.input_tokens": usage.inputTokens,
      "gen_ai.usage.output_tokens": usage.outputTokens,
      "gen_ai.usage.cache_read.input_tokens": usage.cachedInputTokens,
      ...(usage.costMicros !== null && { "miracle.cost_usd": usage.costMicros / 1e6 }),
    },
  };
}

/** 64-bit numbers are texts in the JSON of protobuf. */
const times = (from: number, to: number) => ({ startTimeUnixNano: `${from}000000`, endTimeUnixNano: `${to}000000` });

const attributes = (told: object) =>
  Object.entries(told).map(([key, value]: [string, Value]) => ({ key, value: otlpValue(value) }));

function otlpValue(value: Value): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value !== "number") return { arrayValue: { values: value.map((text) => ({ stringValue: text })) } };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
