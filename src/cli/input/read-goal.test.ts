import { expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { readGoal } from "./read-goal.ts";

test("joins words", async () => {
  expect(await readGoal(["build", "a", "CLI"], fakeTerminal())).toBe("build a CLI");
});

test("reads stdin for a dash, over several lines", async () => {
  expect(await readGoal(["-"], fakeTerminal({ input: "first line\nsecond line ✓\n" }))).toBe(
    "first line\nsecond line ✓",
  );
});

test("does not take a dash among words for stdin", async () => {
  expect(await readGoal(["a", "-", "b"], fakeTerminal({ input: "no" }))).toBe("a - b");
});

test("asks on a terminal, on stderr", async () => {
  const terminal = fakeTerminal({ input: "a small tool\n", inputIsTerminal: true, errorIsTerminal: true });
  expect(await readGoal([], terminal)).toBe("a small tool");
  expect(terminal.errors()).toContain("What should be built");
  expect(terminal.outputs()).toBe("");
});

test("takes an ended input on a terminal as an empty goal", async () => {
  const terminal = fakeTerminal({ inputIsTerminal: true, errorIsTerminal: true });
  await expect(readGoal([], terminal)).rejects.toThrow("the goal is empty");
});
