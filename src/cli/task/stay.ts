import type { RunEnd } from "../../app/run-options.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import type { ViewFlags } from "../input/options.ts";
import { ask } from "../terminal/ask.ts";
import { readAnswer } from "../terminal/ask-approval.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { isInteractive } from "../terminal/terminal.ts";
import { count } from "../text/amounts.ts";

export interface Stay {
  end: RunEnd;
  exit: number;
  flags: ViewFlags & Pick<ConfigFlags, "direct" | "accept" | "confirm"> & { yes?: boolean; keepTests?: boolean };
  /** How many tests that the coder did not see could be kept with the result. */
  keepable?: number;
  /** Said of the finished change already, instead of yes or no. */
  words?: string;
}

const PROMPT = "\nNext: a further goal, a question?, diff, show, undo, or Enter to leave\n> ";
const ABOUT_THE_TASK = new Set(["diff", "show", "undo", "apply", "evidence"]);

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
    if (ABOUT_THE_TASK.has(first) && rest.length === 0) await context.call([first, end.task]);
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

/** How the person wants to work stays as they said it. */
const carried = ({ direct, accept = [], confirm = [] }: Stay["flags"]): string[] => [
  ...(direct ? ["--direct"] : []),
  ...accept.flatMap((command) => ["--accept", command]),
  ...(confirm.length > 0 ? ["--confirm", confirm.join(",")] : []),
];
