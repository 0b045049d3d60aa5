import { userInfo } from "node:os";
import type { ApprovalAnswer, ApprovalRequest } from "../../domain/approval.ts";
import { printableLines } from "../text/printable.ts";
import { ask } from "./ask.ts";
import { columnsOf, painter } from "./paint.ts";
import { hasColor, type Terminal } from "./terminal.ts";

/** What an answer may do beside being one. */
export interface Answering {
  /** Makes a rule of a yes, where it may hold for always. */
  keep(): Promise<void>;
  /** Hears what the person wants otherwise, instead of a yes or a no. True: the work can go on with it at once. */
  hear(words: string, subject: "plan" | "diff"): Promise<boolean>;
  /** Opens the plan in the person's editor; true: the work goes on with what they wrote. Absent where it cannot be. */
  edit?: () => Promise<boolean>;
  /** The plan stands on the screen already. */
  isShown?: boolean;
}

/** Puts a question to the person at this terminal, with all they need to answer it. Only a plain yes is one. */
export async function askApproval(
  terminal: Terminal,
  { id, subject, question, detail, covers = [] }: ApprovalRequest,
  signal: AbortSignal,
  { keep, hear, edit, isShown = false }: Answering,
): Promise<Omit<ApprovalAnswer, "at">> {
  const by = personName(terminal.env);
  if (subject === "question") {
    terminal.error.write(`${printableLines(`${question}\n${detail}`)}\n`);
    const said = (await ask(terminal, "Your answer [none: as said above] ", signal)).trim();
    return { granted: said !== "", reason: said, by };
  }
  if ((subject === "plan" || subject === "diff") && question === `go on with this ${subject}`) {
    if (!isShown)
      terminal.error.write(`${subject === "diff" ? await painted(terminal, detail) : printableLines(detail)}\n`);
    const choice = subject === "plan" && edit ? "y/N/edit" : "y/N";
    for (;;) {
      const text = await ask(
        terminal,
        `${subject === "plan" ? "Work on this plan?" : "Take this change?"} [${choice}, or say what should be otherwise] `,
        signal,
      );
      const { always: _, words, ...answer } = readAnswer(text);
      if (words === "") return { ...answer, by };
      if (subject !== "plan" || !edit || !/^e(dit)?$/i.test(words)) {
        return { granted: await hear(words, subject), reason: words, by };
      }
      if (await edit()) return { granted: false, reason: "edited", by };
    }
  }
  terminal.error.write(`${printableLines(`Asks (${subject}, ${id}): ${question}\n${detail}`)}\n`);
  const choice = covers.length > 0 ? "y/N/always" : "y/N";
  const text = await ask(terminal, `Allow it? [${choice}; words behind it are kept as the reason] `, signal);
  const { always, words: _, ...answer } = readAnswer(text);
  if (always && covers.length > 0) await keep();
  return { ...answer, by };
}

/** Not needed before there is a diff. */
async function painted(terminal: Terminal, diff: string): Promise<string> {
  const { paintDiff } = await import("./paint-diff.ts");
  return paintDiff(diff, painter(hasColor(terminal, terminal.error)), columnsOf(terminal.error));
}

/** An answer as it was typed. */
interface ReadAnswer extends Pick<ApprovalAnswer, "granted" | "reason"> {
  always: boolean;
  /** What was said instead of a yes or a no. */
  words: string;
}

/** `y`, `yes, because …`, `n too risky`, `always`. */
export function readAnswer(text: string): ReadAnswer {
  const [, word = "", reason = ""] = /^\s*(yes|no|y|n|always)?(?![\p{L}\p{N}])[\s,:;.-]*(.*)$/isu.exec(text) ?? [];
  const known = word !== "";
  const always = /^a/i.test(word);
  const words = known ? "" : text.trim();
  return { granted: always || /^y/i.test(word), reason: known ? reason.trim() : words, always, words };
}

/** Who answers, for the record. */
export function personName(env: Record<string, string | undefined>): string {
  try {
    return userInfo().username;
  } catch {
    // A user without a name.
    return env.USER || `user ${process.getuid?.() ?? "unknown"}`;
  }
}
