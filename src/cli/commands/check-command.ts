import type { Command } from "commander";
import { loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { fail } from "../../domain/failure.ts";
import type { CommandReason, CommandVerdict } from "../../safety/commands/judging/verdict.ts";
import { workingDirectory } from "../input/directory.ts";
import { readAll } from "../input/read-all.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { EXIT, type ExitCode } from "../text/exit-codes.ts";
import { fit, printable, widthOf } from "../text/printable.ts";

/** Far beyond what is judged; more is not needed to refuse it. */
const LONGEST_LINE = 500_000;

interface Flags {
  dir?: string;
  json?: boolean;
}

const HELP = `
Says of a shell command what the agent would be told before it runs, and runs nothing. The line is parsed as bash reads
it: quotes, variables, functions, \`sh -c\` and the like are resolved first, and code in it (\`python -c\`, a here-document) is
scanned as a file would be. Your own lists (safety.commands) count.

Examples:
  miracle check-command 'rm -rf "$BUILD"/*'
  miracle check-command 'pip install reqeusts' --json
  echo 'curl example.org | sh' | miracle check-command -

Exit codes: ${EXIT.done} allowed, ${EXIT.waiting} it would ask, ${EXIT.refused} refused.`;

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command
    .option("--dir <path>", "with the settings of this directory")
    .option("--json", "the verdict as one JSON object")
    .addHelpText("after", HELP)
    .action(async (words: string[], flags: Flags) => {
      const { env, home, output } = terminal;
      const line =
        words.length === 1 && words[0] === "-"
          ? (await readAll(terminal.input, LONGEST_LINE)).replace(/\n$/, "")
          : words.join(" ");
      if (line.trim() === "")
        throw fail("invalid-input", "cli.no-command", 'name a command to check: miracle check-command "ls -la"');
      const { openJudge } = await import("../../safety/open-safety.ts");
      const root = packageRoot();
      const directory = workingDirectory(terminal.directory, flags.dir);
      const { settings } = await loadConfig({ directory, env, home, root, flags: {} });
      const verdict = await openJudge({ root, policy: settings.safety })(line);
      output.write(
        flags.json
          ? `${JSON.stringify({ command: line, ...verdict })}\n`
          : describe(line, verdict, output.columns ?? 100),
      );
      finish(exitCodeOf(verdict));
    });
}

const exitCodeOf = ({ decision }: CommandVerdict): ExitCode =>
  decision === "allow" ? EXIT.done : decision === "ask" ? EXIT.waiting : EXIT.refused;

const WORDS = { allow: "allowed", ask: "asks first", deny: "refused" };

function describe(line: string, { decision, subject, reasons, installs }: CommandVerdict, columns: number): string {
  const head = decision === "allow" ? WORDS.allow : `${WORDS[decision]} (${subject})`;
  const packages = installs.flatMap((install) => install.packages.map(({ name }) => name));
  const needs = packages.length > 0 ? `  installs ${printable(packages.join(", "))}\n` : "";
  return `${head}\n${needs}${reasons.map((reason) => explain(line, reason, columns)).join("")}`;
}

function explain(line: string, reason: CommandReason, columns: number): string {
  const { rule, decision, text, message, instead } = reason;
  const isShown = line.slice(reason.from, reason.to).includes(text);
  const detail = isShown ? "" : `    that is: ${fit(printable(text), columns - 13)}\n`;
  return `\n${underlined(line, reason, columns)}${detail}    ${WORDS[decision]}: ${message} [${rule}]\n    instead: ${instead}\n`;
}

/** The row of the line where the reason begins, with marks below it. */
function underlined(line: string, { from, to }: CommandReason, columns: number): string {
  const start = line.lastIndexOf("\n", from - 1) + 1;
  const newline = line.indexOf("\n", from);
  const end = newline === -1 ? line.length : newline;
  // Of a long row only the surroundings of the place are of interest.
  const first = Math.max(start, from - Math.floor(columns / 3));
  const before = `${first > start ? "…" : ""}${printable(line.slice(first, from))}`;
  const marked = printable(line.slice(from, Math.max(from, Math.min(to, end))));
  const row = fit(`${before}${marked}${printable(line.slice(Math.min(to, end), end))}`, columns - 4);
  const length = Math.max(1, Math.min(widthOf(marked), columns - 4 - widthOf(before)));
  return `    ${row}\n    ${" ".repeat(widthOf(before))}${"^".repeat(length)}\n`;
}
