import { expect, test } from "vitest";
import { testRequest } from "../../test/open-test-model.ts";
import { failureOf } from "../../test/serve-model.ts";
import type { ModelAnswer } from "../domain/message.ts";
import { cassetteModel, type Drift } from "./cassette-model.ts";

const answer: ModelAnswer = {
  text: "recorded",
  toolCalls: [],
  finish: "stop",
  model: "a/b",
  attempts: 1,
  usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, costMicros: null },
};

function play() {
  const drifts: Drift[] = [];
  const model = cassetteModel({
    lookup: (path) => (path === "task/plan/1" ? { requestHash: "You are the coder.", answer } : undefined),
    hashOf: (request) => (request.messages[0]?.role === "system" ? request.messages[0].content : ""),
    onDrift: (drift) => drifts.push(drift),
  });
  return { model, drifts };
}
const signal = new AbortController().signal;

test("answers by the path of the step", async () => {
  const { model, drifts } = play();
  const deltas: string[] = [];
  const call = { path: "task/plan/1", signal, onDelta: (text: string) => deltas.push(text) };
  expect(await model.complete(testRequest(), call)).toEqual(answer);
  expect(deltas).toEqual(["recorded"]);
  expect(drifts).toEqual([]);
});

test("answers a changed request all the same, and reports the drift", async () => {
  const { model, drifts } = play();
  const request = { ...testRequest(), messages: [{ role: "system" as const, content: "changed" }] };
  expect(await model.complete(request, { path: "task/plan/1", signal })).toEqual(answer);
  expect(drifts).toEqual([{ path: "task/plan/1", recordedHash: "You are the coder.", requestHash: "changed" }]);
});

test("a step that was not recorded is named", async () => {
  const failure = await failureOf(play().model.complete(testRequest(), { path: "task/plan/2", signal }));
  expect(failure).toMatchObject({ code: "cassette.missing", kind: "invalid-input" });
  expect(failure.message).toContain("task/plan/2");
});

test("can be cancelled", async () => {
  const call = { path: "task/plan/1", signal: AbortSignal.abort(new Error("no")) };
  await expect(play().model.complete(testRequest(), call)).rejects.toThrow("no");
});
