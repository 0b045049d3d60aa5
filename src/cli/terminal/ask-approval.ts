import { userInfo } from "node:os";
import type { ApprovalAnswer, ApprovalRequest } from "../../domain/approval.ts";
import { printableLines } from "../text/printable.ts";
import { ask } from "./ask.ts";
import { painter } from "./paint.ts";
import { paintDiff } from "./paint-diff.ts";
import { hasColor, type Terminal } from "./terminal.ts";

/** Puts a question to the person at this terminal, with all they need to answer it. Only a plain yes is one. */
export async function askApproval(
  terminal: Terminal,
  { id, subject, question, detail, covers = [] }: ApprovalRequest,
  signal: AbortSignal,
  /** Makes a rule of a yes, where it may hold for always. */
  keep: () => Promise<void>,
): Promise<Omit<ApprovalAnswer, "at">> {
  if (subject === "question") {
    terminal.error.write(`${printableLines(`${question}\n${detail}`)}\n`);
    const said = (await ask(terminal, "Your answer [none: as said above] ", signal)).trim();
    return { granted: said !== "", reason: said, by: personName(terminal.env) };
  }
  const shown = subject === "plan" || subject === "diff" ? detail : `Asks (${subject}, ${id}): ${question}\n${detail}`;
  const paint = painter(hasColor(terminal, terminal.error));
  terminal.error.write(`${subject === "diff" ? paintDiff(shown, paint) : printableLines(shown)}\n`);
  const prompt = subject === "plan" || subject === "diff" ? `Go on with this ${subject}?` : "Allow it?";
  const choice = covers.length > 0 ? "y/N/always" : "y/N";
  const text = await ask(terminal, `${prompt} [${choice}; words behind it are kept as the reason] `, signal);
  const { always, ...answer } = readAnswer(text);
  if (always && covers.length > 0) await keep();
  return { ...answer, by: personName(terminal.env) };
}

/** `y`, `yes, because …`, `n too risky`, `always`. */
export function readAnswer(text: string): Pick<ApprovalAnswer, "granted" | "reason"> & { always: boolean } {
  const [, word = "", reason = ""] = /^\s*(yes|no|y|n|always)?(?![\p{L}\p{N}])[\s,:;.-]*(.*)$/isu.exec(text) ?? [];
  const known = word !== "";
  const always = /^a/i.test(word);
  return { granted: always || /^y/i.test(word), reason: (known ? reason : text).trim(), always };
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
