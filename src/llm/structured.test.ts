import { expect, test } from "vitest";
import { z } from "zod";
import { testRequest } from "../../test/open-test-model.ts";
import { failureOf } from "../../test/serve-model.ts";
import type { ModelAnswer, ModelRequest } from "../domain/message.ts";
import { completeStructured, readStructured } from "./structured.ts";

const Plan = z.object({ size: z.enum(["small", "large"]), todos: z.array(z.string()).min(1) });
const plan = { size: "small", todos: ["parse"] };

test.each([
  ["plain", JSON.stringify(plan)],
  ["in a fence", `Here it is:\n\`\`\`json\n${JSON.stringify(plan, null, 2)}\n\`\`\`\nAnything else?`],
  ["in prose", `The plan is ${JSON.stringify(plan)}, as you asked {sic}.`],
  ["behind another value", `Not [1] nor {"size": "huge"} but ${JSON.stringify(plan)}`],
  ["behind a draft", `<think>{"size": "large", "todos": ["draft"]}</think>${JSON.stringify(plan)}`],
])("finds the value %s", (_, text) => {
  expect(readStructured(text, Plan)).toEqual({ ok: true, value: plan });
});

test("brackets in strings and brackets that never close do not hide a value", () => {
  const odd = { size: "small", todos: ['}{][" {'] };
  expect(readStructured(`so: ${JSON.stringify(odd)}!`, Plan)).toEqual({ ok: true, value: odd });
  for (const start of ['{ "broken: ', "{ broken: ", "[[ "]) {
    expect(readStructured(start + JSON.stringify(plan), Plan)).toEqual({ ok: true, value: plan });
  }
});

function asking(...texts: string[]) {
  const requests: ModelRequest[] = [];
  const ask = async (request: ModelRequest): Promise<ModelAnswer> => {
    requests.push(request);
    const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, costMicros: null };
    return { text: texts[requests.length - 1] ?? "", toolCalls: [], finish: "stop", model: "a/b", attempts: 1, usage };
  };
  return { requests, ask };
}

test("asks with the schema and takes a good answer as it is", async () => {
  const { requests, ask } = asking(JSON.stringify(plan));
  expect(await completeStructured(ask, testRequest(), { name: "plan", schema: Plan })).toEqual(plan);
  expect(requests).toHaveLength(1);
  expect(requests[0]?.output).toMatchObject({ name: "plan", schema: { type: "object", required: ["size", "todos"] } });
});

test("shows the errors once and takes the corrected answer", async () => {
  const { requests, ask } = asking('{"size": "huge", "todos": []}', JSON.stringify(plan));
  expect(await completeStructured(ask, testRequest(), { name: "plan", schema: Plan })).toEqual(plan);
  const [wrong, complaint] = requests[1]?.messages.slice(-2) ?? [];
  expect(wrong).toMatchObject({ role: "assistant", content: '{"size": "huge", "todos": []}' });
  const text = complaint?.role === "user" && complaint.content[0]?.type === "text" ? complaint.content[0].text : "";
  expect(text).toMatch(/size: .*todos: /);
  expect(requests[1]?.output).toEqual(requests[0]?.output);
});

test("fails when the corrected answer is wrong as well", async () => {
  const { requests, ask } = asking("no idea", "still none");
  const failure = await failureOf(completeStructured(ask, testRequest(), { name: "plan", schema: Plan }));
  expect(failure).toMatchObject({ code: "model.invalid-output", kind: "invalid-input", detail: "still none" });
  expect(failure.message).toContain("no JSON value");
  expect(requests).toHaveLength(2);
});
