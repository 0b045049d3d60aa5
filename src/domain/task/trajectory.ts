import type { Message, ModelAnswer, ModelRequest, ToolCall } from "../message.ts";
import type { TaskOutcome } from "./task.ts";

/*
 * A task in the Agent Trajectory Interchange Format, for tools that look at runs of any agent, or train with them. Each
 * conversation of a role is a trajectory of its own within that of the task. Decision 0106 says how our words map to theirs.
 */
const VERSION = "ATIF-v1.7";

/** One answered model call, as it was recorded. */
export interface RecordedCall {
  path: string;
  request: ModelRequest;
  answer: ModelAnswer;
  /** Epoch milliseconds. */
  startedAt: number;
  endedAt: number;
}

export interface TaskRecord {
  task: string;
  /** Of Miracle. */
  version: string;
  goal: string;
  startedAt: number;
  /** Null: the task is not over. */
  outcome: TaskOutcome | null;
  /** In the order in which they were recorded. */
  calls: RecordedCall[];
}

interface ObservationResult {
  source_call_id?: string;
  content?: string;
  subagent_trajectory_ref?: { trajectory_id: string }[];
}

interface TrajectoryStep {
  step_id: number;
  timestamp: string;
  source: "system" | "user" | "agent";
  message: string;
  model_name?: string;
  tool_calls?: object[];
  observation?: { results: ObservationResult[] };
  metrics?: object;
  llm_call_count?: number;
  extra?: object;
}

export interface Trajectory {
  schema_version: typeof VERSION;
  session_id: string;
  trajectory_id: string;
  agent: { name: string; version: string; model_name?: string; tool_definitions?: object[]; extra?: object };
  steps: TrajectoryStep[];
  notes?: string;
  final_metrics: object;
  extra?: object;
  subagent_trajectories?: Trajectory[];
}

/** All calls of one conversation, which grew by its end. */
interface Conversation {
  /** The path of its steps, without their numbers. */
  name: string;
  calls: [RecordedCall, ...RecordedCall[]];
}

/** Pure: the same recording gives the same bytes. */
export function trajectoryOf(record: TaskRecord): Trajectory {
  const { task, version, goal, startedAt, outcome, calls } = record;
  const parts = conversationsOf(calls).map((conversation, index) => partOf(record, conversation, index));
  const steps = new Steps();
  steps.add("user", goal, startedAt);
  for (const { trajectory, calls } of parts) {
    const step = steps.add("system", `the ${calls[0].request.role} is asked`, calls[0].startedAt);
    step.observation = { results: [{ subagent_trajectory_ref: [{ trajectory_id: trajectory.trajectory_id }] }] };
    step.extra = { step: calls[0].path };
  }
  const settled = outcome && settledText(outcome);
  if (settled) steps.add("system", settled, calls.at(-1)?.endedAt ?? startedAt);
  return {
    schema_version: VERSION,
    session_id: task,
    trajectory_id: task,
    agent: { name: "miracle", version },
    steps: steps.all,
    notes:
      "Each conversation of a role is a trajectory of its own; a step of the system names it. The totals are those of all of them.",
    final_metrics: { ...totals(calls), total_steps: steps.all.length },
    ...(outcome && { extra: { status: outcome.status, tree: outcome.tree } }),
    ...(parts.length > 0 && { subagent_trajectories: parts.map(({ trajectory }) => trajectory) }),
  };
}

/** Calls under one name go on with one conversation, until one begins anew: a model has said nothing in it yet. */
function conversationsOf(calls: RecordedCall[]): Conversation[] {
  const conversations: Conversation[] = [];
  const open = new Map<string, Conversation>();
  for (const call of calls) {
    const name = call.path.replace(/\/\d+$/, "");
    const known = open.get(name);
    if (known && call.request.messages.some(({ role }) => role === "assistant")) {
      known.calls.push(call);
      continue;
    }
    const begun: Conversation = { name, calls: [call] };
    open.set(name, begun);
    conversations.push(begun);
  }
  return conversations;
}

function partOf({ task, version }: TaskRecord, { name, calls }: Conversation, index: number) {
  const [{ request, answer }] = calls;
  const steps = stepsOf(calls);
  const trajectory: Trajectory = {
    schema_version: VERSION,
    session_id: task,
    trajectory_id: `${task}/${index + 1}`,
    agent: {
      name: `miracle ${request.role}`,
      version,
      model_name: answer.model,
      ...(request.tools.length > 0 && {
        tool_definitions: request.tools.map((tool) => ({ type: "function", function: tool })),
      }),
      extra: { role: request.role, step: name },
    },
    steps,
    final_metrics: { ...totals(calls), total_steps: steps.length },
  };
  return { trajectory, calls };
}

/** What was new in each request, then its answer. What was said before it may be shortened there; here it stands whole. */
function stepsOf(calls: RecordedCall[]): TrajectoryStep[] {
  const steps = new Steps();
  let answered: TrajectoryStep | undefined;
  for (const { path, request, answer, startedAt, endedAt } of calls) {
    const said = request.messages.findLastIndex(({ role }) => role === "assistant");
    for (const message of answered ? request.messages.slice(said + 1) : request.messages) {
      if (message.role === "tool") observe(answered, message);
      else if (message.role !== "assistant") steps.add(message.role, textOf(message), startedAt);
    }
    answered = steps.add("agent", answer.text, endedAt);
    answered.model_name = answer.model;
    if (answer.toolCalls.length > 0) answered.tool_calls = answer.toolCalls.map(toolCall);
    answered.metrics = metricsOf(answer);
    answered.llm_call_count = 1;
    answered.extra = { step: path, finish: answer.finish };
  }
  return steps.all;
}

class Steps {
  readonly all: TrajectoryStep[] = [];

  add(source: TrajectoryStep["source"], message: string, at: number): TrajectoryStep {
    const step: TrajectoryStep = {
      step_id: this.all.length + 1,
      timestamp: new Date(at).toISOString(),
      source,
      message,
    };
    this.all.push(step);
    return step;
  }
}

function observe(step: TrajectoryStep | undefined, { callId, content }: Message & { role: "tool" }): void {
  if (!step) return;
  step.observation ??= { results: [] };
  step.observation.results.push({ source_call_id: callId, content });
}

/** Arguments that are no JSON object are kept as the model wrote them. */
function toolCall({ id, name, arguments: written }: ToolCall): object {
  const call = { tool_call_id: id, function_name: name };
  try {
    const parsed: unknown = JSON.parse(written);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return { ...call, arguments: parsed };
  } catch {
    // Broken JSON of a model is nothing unusual.
  }
  return { ...call, arguments: {}, extra: { written } };
}

function textOf(message: Message & { role: "system" | "user" }): string {
  if (message.role === "system") return message.content;
  return message.content.map((part) => (part.type === "text" ? part.text : `[file ${part.name}]`)).join("\n");
}

function metricsOf({ usage, attempts }: ModelAnswer): object {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    cached_tokens: usage.cachedInputTokens,
    ...(usage.costMicros !== null && { cost_usd: usage.costMicros / 1e6 }),
    ...(attempts > 1 && { extra: { attempts } }),
  };
}

/** A sum of money is told only where every call has a price. */
function totals(calls: RecordedCall[]): object {
  const used = calls.map(({ answer }) => answer.usage);
  const sum = (count: (usage: (typeof used)[number]) => number) => used.reduce((all, usage) => all + count(usage), 0);
  return {
    total_prompt_tokens: sum(({ inputTokens }) => inputTokens),
    total_completion_tokens: sum(({ outputTokens }) => outputTokens),
    total_cached_tokens: sum(({ cachedInputTokens }) => cachedInputTokens),
    ...(used.every(({ costMicros }) => costMicros !== null) && {
      total_cost_usd: sum(({ costMicros }) => costMicros ?? 0) / 1e6,
    }),
  };
}

const settledText = (outcome: TaskOutcome): string =>
  outcome.status === "not-proven" ? `not proven: ${outcome.failure.message}` : outcome.status;
