import { expect, test } from "vitest";
import type { Message, ModelAnswer } from "../message.ts";
import { type RecordedCall, trajectoryOf } from "./trajectory.ts";

const usage = { inputTokens: 10, outputTokens: 2, cachedInputTokens: 4, costMicros: 500_000 };
const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const called = (path: string, messages: Message[], answer: Partial<ModelAnswer>): RecordedCall => ({
  path,
  request: { role: "coder", messages, tools: [], parameters: { maxOutputTokens: 100 } },
  answer: { text: "", toolCalls: [], finish: "stop", model: "test/a", attempts: 1, usage, ...answer },
  startedAt: 1,
  endedAt: 2,
});
const read = { id: "c1", name: "read_file", arguments: '{"path":"a.py"}' };
const begin: Message[] = [{ role: "system", content: "You code." }, user("Mend a.py")];
const task = { task: "t1", version: "1", goal: "mend it", startedAt: 0, outcome: null };

test("what an old turn became later does not matter: each turn is told once, as it was", () => {
  const shortened: Message[] = [
    ...begin,
    user("(old turns in few words)"),
    { role: "assistant", content: "", toolCalls: [read] },
    { role: "tool", callId: "c1", name: "read_file", content: "x = 1" },
    user("and quickly"),
  ];
  const [part] =
    trajectoryOf({
      ...task,
      calls: [
        called("todo:a/code/1", begin, { toolCalls: [read] }),
        called("todo:a/code/2", shortened, { text: "done" }),
      ],
    }).subagent_trajectories ?? [];
  expect(part?.steps).toMatchObject([
    { source: "system", message: "You code." },
    { source: "user", message: "Mend a.py" },
    {
      source: "agent",
      tool_calls: [{ tool_call_id: "c1", function_name: "read_file", arguments: { path: "a.py" } }],
      observation: { results: [{ source_call_id: "c1", content: "x = 1" }] },
    },
    { source: "user", message: "and quickly" },
    { source: "agent", message: "done" },
  ]);
  expect(part?.final_metrics).toEqual({
    total_prompt_tokens: 20,
    total_completion_tokens: 4,
    total_cached_tokens: 8,
    total_cost_usd: 1,
    total_steps: 5,
  });
});

test("conversations at once are told apart, and one that begins anew under its name is another", () => {
  const calls = ["todo:a/code/1", "todo:b/code/1", "todo:a/code/2"].map((path) => called(path, begin, {}));
  const { steps, subagent_trajectories: parts } = trajectoryOf({ ...task, calls });
  expect(parts?.map(({ agent }) => agent.extra)).toMatchObject([
    { step: "todo:a/code" },
    { step: "todo:b/code" },
    { step: "todo:a/code" },
  ]);
  expect(steps.map(({ source }) => source)).toEqual(["user", "system", "system", "system"]);
});

test("arguments that are no JSON object stand as the model wrote them, and a sum without every price is not told", () => {
  const broken = { ...read, arguments: '{"path":' };
  const unpriced = { ...usage, costMicros: null };
  const { final_metrics: totals, subagent_trajectories: parts } = trajectoryOf({
    ...task,
    calls: [called("task/plan/1", begin, { toolCalls: [broken] }), called("task/tests/1", begin, { usage: unpriced })],
  });
  expect(parts?.[0]?.steps.at(-1)).toMatchObject({ tool_calls: [{ arguments: {}, extra: { written: '{"path":' } }] });
  expect(totals).not.toHaveProperty("total_cost_usd");
  expect(parts?.[0]?.final_metrics).toMatchObject({ total_cost_usd: 0.5 });
});
