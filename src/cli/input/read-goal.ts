import { checkedGoal, MAX_GOAL_CHARACTERS } from "../../app/checked-goal.ts";
import { fail } from "../../domain/failure.ts";
import { ask } from "../terminal/ask.ts";
import { isInteractive, type Terminal } from "../terminal/terminal.ts";
import { readAll } from "./read-all.ts";

/** The goal: words, `-` for stdin, or asked for. */
export async function readGoal(words: string[], terminal: Terminal): Promise<string> {
  return checkedGoal(await rawGoal(words, terminal));
}

async function rawGoal(words: string[], terminal: Terminal): Promise<string> {
  if (words.length === 1 && words[0] === "-") return readAll(terminal.input, MAX_GOAL_CHARACTERS);
  if (words.length > 0) return words.join(" ");
  if (isInteractive(terminal)) return ask(terminal, "What should be built or mended? ");
  throw fail("invalid-input", "goal.missing", 'no goal: write it as in miracle run "…", or `-` to read it from stdin');
}
