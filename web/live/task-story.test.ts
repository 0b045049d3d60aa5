import { expect, test } from "vitest";
import type { Event, EventBody } from "../../src/domain/task/event.ts";
import { laneOf, TaskStory } from "./task-story.ts";

let number = 0;
const at = (body: EventBody, step = "task/x/1"): Event => {
  number += 1;
  return { task: "t00000001", number, at: number * 1000, step, ...body };
};

const run = (scope: "visible" | "gate" | "red-check" | "held-out", passed: number, red: string[]): EventBody => ({
  type: "tests-run",
  scope,
  counts: { passed, red: red.length, skipped: 0 },
  passed: red.length === 0,
  red: red.map((id) => ({ id, message: `${id} failed` })),
  durationMs: 500,
});

const called = (role: "coder" | "tester", costMicros: number | null): EventBody => ({
  type: "model-called",
  role,
  model: "local/a",
  attempts: 1,
  usage: { inputTokens: 100, outputTokens: 10, cachedInputTokens: 50, costMicros },
  durationMs: 400,
});

function storyOf(...events: Event[]): TaskStory {
  const story = new TaskStory();
  for (const event of events) story.add(event);
  return story;
}

const reds = ({ tests }: TaskStory) => [...tests.values()].filter(({ red }) => red).map(({ id }) => id);

test("a test that was red turns green in the first run that has it and does not call it red", () => {
  const story = storyOf(at(run("visible", 1, ["a", "b"])));
  expect(reds(story)).toEqual(["a", "b"]);
  story.add(at(run("visible", 2, ["b"])));
  expect(reds(story)).toEqual(["b"]);
  story.add(at(run("gate", 3, [])));
  expect(reds(story)).toEqual([]);
  expect(story.tests.size).toBe(2);
});

test("a run of fewer tests says nothing of the others", () => {
  const story = storyOf(at(run("gate", 5, ["a", "b", "c"])), at(run("visible", 0, ["c"])));
  expect(reds(story)).toEqual(["a", "b", "c"]);
});

test("unseen tests have no names here, and the red of new tests on old code is no failure", () => {
  const story = storyOf(at(run("held-out", 1, ["secret"])), at(run("red-check", 0, ["a"])));
  expect(reds(story)).toEqual(["a"]);
  expect(story.spans.map(({ ok }) => ok)).toEqual([false, true]);
});

test("what models used up is summed by role, and a call without a price is not free", () => {
  const story = storyOf(at(called("coder", 30)), at(called("coder", null)), at(called("tester", 5)));
  expect(story.roles.get("coder")).toMatchObject({ calls: 2, inputTokens: 200, costMicros: 30, unpriced: 1 });
  expect(story.roles.get("tester")).toMatchObject({ calls: 1, costMicros: 5 });
  expect(story.spans[0]).toMatchObject({ kind: "model", from: story.spans[0] && story.spans[0].to - 400 });
});

test("the plan is asked for again only when it may have changed", () => {
  const story = storyOf(at(called("coder", 1)), at(run("gate", 1, [])));
  expect([story.planChanges, story.workChanges]).toEqual([0, 0]);
  story.add(at({ type: "phase-changed", phase: "coding", todo: "a", iteration: 1 }));
  story.add(at({ type: "phase-changed", phase: "testing", todo: "a", iteration: 1 }));
  expect(story.planChanges).toBe(1);
  story.add(at({ type: "todo-settled", todo: "a", ok: true }));
  expect(story.planChanges).toBe(2);
});

test("each todo and each candidate has a lane", () => {
  expect(laneOf("task/plan/1")).toBe("task");
  expect(laneOf("todo:parser/try:2/iteration:1/code/3")).toBe("parser");
  expect(laneOf("todo:parser/debug/candidate:2/iteration:1/code/1")).toBe("parser, candidate 2");
});
