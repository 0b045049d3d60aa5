import type { Finding } from "../domain/finding.ts";
import { judgeCommand, weighReasons } from "./commands/judge-command.ts";
import type { CommandRules } from "./commands/judging/command-rules.ts";
import type { CommandReason, CommandVerdict, InlineCode } from "./commands/judging/verdict.ts";
import type { ScannedFile } from "./scan/scanned-file.ts";

interface LineParts {
  rules: CommandRules;
  /** The code scan. Asked only when the line holds code. */
  scan(files: ScannedFile[]): Promise<Finding[]>;
  /** What becomes of a blocking finding, as in a file. */
  findings: "ask" | "deny";
}

/** A command line with everything it holds: what it runs, and the code in it as the code scan reads files. */
export async function judgeLine(line: string, { rules, scan, findings }: LineParts): Promise<CommandVerdict> {
  const { code: all, ...first } = judgeCommand(line, rules);
  // A file that the line writes and then names to an interpreter is there twice.
  const code = all.filter(
    ({ path, text }) => path !== null || !all.some((other) => other.path !== null && other.text === text),
  );
  // What is refused already is not read as well.
  if (code.length === 0 || first.decision === "deny") return first;
  const files = code.map((piece, index) => ({ path: pathOf(piece, index, code), content: piece.text }));
  const found = (await scan(files)).filter(({ kind, blocking }) => kind === "code" && blocking);
  const reasons: CommandReason[] = found.flatMap((finding) => {
    const piece = code[files.findIndex(({ path }) => path === finding.path)];
    return piece ? [reasonOf(finding, piece, findings)] : [];
  });
  return { ...weighReasons([...first.reasons, ...reasons]), installs: first.installs };
}

const ENDINGS = { python: "py", node: "ts", go: "go" };

/** Two pieces are never one file; code without a file is in none that a policy could name. */
function pathOf({ path, language }: InlineCode, index: number, code: InlineCode[]): string {
  if (path === null) return `inline-${index}/code.${ENDINGS[language]}`;
  const isAgain = code.findIndex((piece) => piece.path === path) < index;
  return `${isAgain ? `inline-${index}/` : ""}${path.replace(/^(?:\.\.\/)+/, "")}`;
}

function reasonOf(
  { rule, excerpt, message, instead }: Finding,
  { from, to }: InlineCode,
  decision: "ask" | "deny",
): CommandReason {
  return { rule, decision, subject: "code", from, to, text: excerpt, message, instead };
}
