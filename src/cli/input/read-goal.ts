import { fail } from "../../domain/failure.ts";
import { ask } from "../terminal/ask.ts";
import { isInteractive, type Terminal } from "../terminal/terminal.ts";
import { grouped } from "../text/amounts.ts";
import { readAll } from "./read-all.ts";

/** Enough for any goal a person writes; what is longer belongs into a file of the project. */
const MAX_GOAL_CHARACTERS = 100_000;

/** The goal: words, `-` for stdin, or asked for. */
export async function readGoal(words: string[], terminal: Terminal): Promise<string> {
  const goal = (await rawGoal(words, terminal)).trim().toWellFormed();
  if (goal === "")
    throw fail("invalid-input", "goal.empty", "the goal is empty: say in a sentence what to build or mend");
  if (goal.length > MAX_GOAL_CHARACTERS) throw tooLong();
  return goal;
}

async function rawGoal(words: string[], terminal: Terminal): Promise<string> {
  if (words.length === 1 && words[0] === "-") return readAll(terminal.input, MAX_GOAL_CHARACTERS);
  if (words.length > 0) return words.join(" ");
  if (isInteractive(terminal)) return ask(terminal, "What should be built or mended? ");
  throw fail("invalid-input", "goal.missing", 'no goal: write it as in miracle run "…", or `-` to read it from stdin');
}

const tooLong = () =>
  fail(
    "invalid-input",
    "goal.too-long",
    `the goal is longer than ${grouped(MAX_GOAL_CHARACTERS)} characters: put the text into a file of the project and refer to it, or pass it with --attach`,
  );
