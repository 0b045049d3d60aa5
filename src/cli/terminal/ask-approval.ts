import { userInfo } from "node:os";
import type { ApprovalAnswer, ApprovalRequest } from "../../domain/approval.ts";
import { printableLines } from "../text/printable.ts";
import { ask } from "./ask.ts";
import type { Terminal } from "./terminal.ts";

/** Puts a question to the person at this terminal, with all they need to answer it. Only a plain yes is one. */
export async function askApproval(
  terminal: Terminal,
  { id, subject, question, detail }: ApprovalRequest,
  signal: AbortSignal,
): Promise<Omit<ApprovalAnswer, "at">> {
  if (subject === "question") {
    terminal.error.write(`${printableLines(`${question}\n${detail}`)}\n`);
    const said = (await ask(terminal, "Your answer [none: as said above] ", signal)).trim();
    return { granted: said !== "", reason: said, by: personName(terminal.env) };
  }
  const shown = subject === "plan" || subject === "diff" ? detail : `Asks (${subject}, ${id}): ${question}\n${detail}`;
  terminal.error.write(`${printableLines(shown)}\n`);
  const prompt = subject === "plan" || subject === "diff" ? `Go on with this ${subject}?` : "Allow it?";
  const text = await ask(terminal, `${prompt} [y/N; words behind it are kept as the reason] `, signal);
  return { ...readAnswer(text), by: personName(terminal.env) };
}

/** `y`, `yes, because …`, `n too risky`. */
export function readAnswer(text: string): Pick<ApprovalAnswer, "granted" | "reason"> {
  const [, word = "", reason = ""] = /^\s*(yes|no|y|n)?(?![\p{L}\p{N}])[\s,:;.-]*(.*)$/isu.exec(text) ?? [];
  const known = word !== "";
  return { granted: /^y/i.test(word), reason: (known ? reason : text).trim() };
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
