import type { RunEnd } from "../../app/run-options.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import { NO_LIMIT } from "../../config/parse-setting.ts";
import type { ViewFlags } from "../input/options.ts";
import { ask } from "../terminal/ask.ts";
import { readAnswer } from "../terminal/ask-approval.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { isInteractive } from "../terminal/terminal.ts";
import { count } from "../text/amounts.ts";

export interface Stay {
  end: RunEnd;
  exit: number;
  flags: ViewFlags &
    Pick<ConfigFlags, "notify" | "maxCost" | "maxTokens" | "timeout"> & { yes?: boolean; keepTests?: boolean };
  /** How many tests that the coder did not see could be kept with the result. */
  keepable?: number;
  /** Said of the finished change already, instead of yes or no. */
  words?: string;
}

const PROMPT = "\nNext: a further goal, a question?, diff, show, undo, help, or Enter to leave\n> ";
const ABOUT_THE_TASK = new Set(["diff", "show", "undo", "apply", "evidence"]);
/** They follow a task to its result, after which they stay themselves. */
const ENDS_WITH_A_RESULT = new Set(["run", "continue", "resume"]);
const HELP = `
What can be said here, about the task that has ended:
  diff, show, undo, apply, evidence   the command of this name
  miracle COMMAND …                   any other command (miracle help lists them)
  words that end with a question mark answered, and nothing is changed
  any other words                     a further goal, worked on from this result
  Enter, exit or quit                 leave
`;

/** After a result at a terminal: the person says the next thing, with what came before in mind, until they leave. */
export async function stay(context: CommandContext, { end, exit, flags, words, keepable = 0 }: Stay): Promise<number> {
  const { terminal } = context;
  const isThere = isInteractive(terminal) && terminal.output.isTTY === true;
  if (!isThere || end.ended !== "settled" || flags.json || flags.quiet || flags.yes) return exit;
  let said = words;
  if (said !== undefined) terminal.error.write("\nWhat you said is worked in now. Then you see the change again.\n");
  /** What is said instead of yes or no is the next thing said. */
  const offer = async (question: string, flag: string) => {
    const { granted, words: other } = readAnswer(await ask(terminal, `\n${question} [y/N, or say what is next] `));
    if (granted) await context.call(["apply", end.task, flag]);
    if (other !== "") said = other;
  };
  if (said === undefined && flags.keepTests === undefined && keepable > 0 && isApplied(end)) {
    await offer(keepQuestion(keepable), "--keep-tests");
  }
  if (said === undefined && isInTheWay(end)) {
    await offer("Merge it with what you changed meanwhile, and run the tests on both?", "--merge");
  }
  for (;;) {
    said ??= (await ask(terminal, PROMPT)).trim();
    if (said === "" || said === "exit" || said === "quit") return exit;
    const [first = "", ...rest] = said.split(/\s+/);
    if (first === "miracle") {
      const words = commandWords(said).slice(1);
      const exit = await context.call(words);
      if (ENDS_WITH_A_RESULT.has(words[0] ?? "")) return exit;
    } else if (said === "help" || said === "?") terminal.error.write(HELP);
    else if (ABOUT_THE_TASK.has(first) && isOf(end.task, rest))
      await context.call([first, ...(rest[0] ? rest : [end.task])]);
    else if (said.endsWith("?")) await context.call(["ask", "--task", end.task, "--", said]);
    // It has a result of its own, after which it stays.
    else return context.call(["continue", end.task, ...carried(flags), "--", said]);
    said = undefined;
  }
}

/** Into the files: a branch is finished. */
const isApplied = (end: RunEnd): boolean => {
  const delivery = end.ended === "settled" && "delivery" in end.outcome ? end.outcome.delivery : undefined;
  return delivery?.applied === true && delivery.branch === undefined;
};

/** The person changed the same files while it worked. */
const isInTheWay = (end: RunEnd): boolean => {
  const delivery = end.ended === "settled" && "delivery" in end.outcome ? end.outcome.delivery : undefined;
  return delivery?.applied === false && delivery.failure?.code === "apply.conflict";
};

const keepQuestion = (keepable: number): string =>
  `Add the ${keepable === 1 ? "test" : count(keepable, "test")} that the coder did not see to the project, too? miracle prove counts only tests that are there.`;

/**
 * How the person wants to work stays as they said it: what the task was asked with stands in its journal, and what is no part
 * of it, as limits of a `resume`, in the flags.
 */
const carried = ({ notify, maxCost, maxTokens, timeout, keepTests }: Stay["flags"]): string[] => [
  "--as-before",
  ...(maxCost === undefined ? [] : ["--max-cost", maxCost === NO_LIMIT ? "none" : String(maxCost)]),
  ...(maxTokens === undefined ? [] : ["--max-tokens", String(maxTokens)]),
  ...(timeout === undefined ? [] : ["--timeout", timeout]),
  ...(notify === undefined ? [] : ["--notify", notify]),
  ...(keepTests === false ? ["--no-keep-tests"] : []),
];

/** Nothing more is said, or the task by its id. */
const isOf = (task: string, rest: string[]): boolean => rest.length === 0 || (rest.length === 1 && rest[0] === task);

/** As a shell takes a line apart, as far as quotes go. */
const commandWords = (line: string): string[] =>
  [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  );
