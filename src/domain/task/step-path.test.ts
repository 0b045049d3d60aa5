import { describe, expect, test } from "vitest";
import {
  attemptStrand,
  candidateStep,
  candidateStrand,
  debugStrand,
  delivererOf,
  deliveryStrand,
  editionStrand,
  isMending,
  isTaskStep,
  iterationStep,
  MERGED_STRAND,
  mendStrand,
  nameInIteration,
  nameOf,
  pathsOn,
  personStrand,
  phaseOf,
  reworkStrand,
  stepPath,
  strandTitle,
  TASK_STRAND,
  todoOfStrand,
  todoStrand,
  tryStrand,
} from "./step-path.ts";

const parser = todoStrand("parser");

/** As they are recorded: a change here is a change of the format. */
const strands: [string, string][] = [
  [TASK_STRAND, "task"],
  [parser, "todo:parser"],
  [editionStrand(parser, 0), "todo:parser"],
  [editionStrand(parser, 1), "todo:parser/edition:1"],
  [tryStrand(parser, 1), "todo:parser"],
  [tryStrand(editionStrand(parser, 1), 2), "todo:parser/edition:1/try:2"],
  [reworkStrand(parser, 1), "todo:parser/rework:1"],
  [debugStrand(parser), "todo:parser/debug"],
  [candidateStrand(debugStrand(parser), 2), "todo:parser/debug/candidate:2"],
  [personStrand(parser), "todo:parser/person"],
  [MERGED_STRAND, "merged"],
  [mendStrand(1), "mend:1"],
  [editionStrand(mendStrand(1), 2), "mend:1/edition:2"],
  [deliveryStrand("apply", 1), "apply:1"],
  [deliveryStrand("undo", 2), "undo:2"],
];

describe("a strand", () => {
  test.each(strands)("is written as it was recorded: %s", (built, recorded) => {
    expect(built).toBe(recorded);
  });

  test("is a todo's in every edition, try and branch of it, and no other is", () => {
    for (const [strand] of strands) expect(todoOfStrand(strand)).toBe(strand.startsWith(parser) ? "parser" : undefined);
  });

  test("is told by its todo", () => {
    expect(strandTitle(tryStrand(parser, 2))).toBe("parser/try:2");
    expect(strandTitle(MERGED_STRAND)).toBe("merged");
  });

  test("delivers only when it is the task's, or a person's own", () => {
    expect(delivererOf(TASK_STRAND)).toBe("task");
    expect(delivererOf(deliveryStrand("apply", 12))).toBe("apply");
    expect(delivererOf(deliveryStrand("undo", 1))).toBe("undo");
    for (const other of [parser, debugStrand(parser), MERGED_STRAND, "apply:1/x", "undo:", "tasks"]) {
      expect(delivererOf(other)).toBeNull();
    }
  });
});

describe("a step", () => {
  const code = stepPath(tryStrand(parser, 2), iterationStep(1, "code"), 3);

  test("has a path of its strand, its name and its number", () => {
    expect(code).toBe("todo:parser/try:2/iteration:1/code/3");
    expect(stepPath(debugStrand(parser), candidateStep(2, "size"), 1)).toBe("todo:parser/debug/candidate:2/size/1");
    expect(code.startsWith(pathsOn(parser))).toBe(true);
    expect(code.startsWith(pathsOn(todoStrand("pars")))).toBe(false);
  });

  test("is found by the last word of its name", () => {
    expect(nameOf(code)).toBe("code");
    expect(nameOf(stepPath(TASK_STRAND, "question", 1))).toBe("question");
    expect(nameOf("")).toBe("");
  });

  test.each([
    ["task/plan/1", "plan"],
    ["todo:parser/iteration:2/code/3", "code"],
    ["task/proving/mend:1/reflect/2", "reflect"],
  ])("is counted without the number in its name: %s under %s", (path, phase) => {
    expect(phaseOf(path)).toBe(phase);
  });

  test("knows its name within an iteration", () => {
    expect(nameInIteration(code)).toBe("code");
    expect(nameInIteration(stepPath(parser, iterationStep(2, "reviewer/change"), 1))).toBeNull();
    expect(nameInIteration(stepPath(parser, "phase", 1))).toBeNull();
  });

  test("that ends an iteration says which attempt it belongs to, in whatever edition of the plan", () => {
    expect(attemptStrand(stepPath(editionStrand(mendStrand(1), 2), "phase", 4))).toBe("mend:1");
    expect(attemptStrand(stepPath(tryStrand(editionStrand(parser, 1), 2), "phase", 1))).toBe("todo:parser/try:2");
    expect(attemptStrand(code)).toBeUndefined();
    expect([isMending(mendStrand(2)), isMending(parser)]).toEqual([true, false]);
  });

  test("is the task's only on its own strand", () => {
    expect(isTaskStep(stepPath(TASK_STRAND, "settle", 1), "settle")).toBe(true);
    expect(isTaskStep(stepPath(parser, "settle", 1), "settle")).toBe(false);
    expect(isTaskStep(stepPath(TASK_STRAND, "settle/more", 1), "settle")).toBe(false);
  });
});
