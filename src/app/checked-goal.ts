import { fail } from "../domain/failure.ts";

/** Enough for any goal a person writes; what is longer belongs into a file of the project. */
export const MAX_GOAL_CHARACTERS = 100_000;

/** A goal as it was typed or sent, ready to be worked on. */
export function checkedGoal(text: string): string {
  const goal = text.trim().toWellFormed();
  if (goal === "") {
    throw fail("invalid-input", "goal.empty", "the goal is empty: say in a sentence what to build or mend");
  }
  if (goal.length <= MAX_GOAL_CHARACTERS) return goal;
  const most = MAX_GOAL_CHARACTERS.toLocaleString("en-US");
  throw fail(
    "invalid-input",
    "goal.too-long",
    `the goal is longer than ${most} characters: put the text into a file of the project and refer to it, or pass it with --attach`,
  );
}
