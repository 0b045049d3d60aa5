import { Command, CommanderError } from "commander";
import { didYouMean } from "../config/did-you-mean.ts";
import { fail, TerminalFailure } from "../domain/failure.ts";
import { commands } from "./command-table.ts";
import type { CommandContext } from "./terminal/command-context.ts";
import { columnsOf, say } from "./terminal/paint.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { EXIT, type ExitCode, exitCodeOfFailure } from "./text/exit-codes.ts";
import { helpAfter } from "./text/help-text.ts";
import { version } from "./text/version.ts";
import { reflow } from "./text/wrap.ts";

/** From the words after `miracle` to the exit code. The one place where an error becomes a message. */
export async function runCommandLine(words: string[], terminal: Terminal): Promise<number> {
  let exit: number = EXIT.done;
  const context: CommandContext = {
    terminal,
    finish: (code) => {
      exit = code;
    },
    call: (others) => runCommandLine(others, terminal),
    program: () => wholeProgram(terminal),
  };
  try {
    if (words.length === 0) {
      const { welcome } = await import("./welcome.ts");
      await welcome(terminal);
      return exit;
    }
    // `help run` is `run --help`.
    const args = words[0] === "help" ? [...words.slice(1, 2), "--help"] : words;
    const program = await buildProgram(args, context);
    await program.parseAsync(args, { from: "user" });
    return exit;
  } catch (error) {
    return reportError(error, terminal, words.includes("--json"));
  }
}

/** All commands with all their flags, for whoever describes them. */
export const wholeProgram = (terminal: Terminal): Promise<Command> => {
  const context: CommandContext = {
    terminal,
    finish: () => {},
    call: (words) => runCommandLine(words, terminal),
    program: () => wholeProgram(terminal),
  };
  return buildProgram([], context, true);
};

/** Only the command that is called is loaded; of the others the help knows name and purpose. Unless all are wanted. */
async function buildProgram(args: string[], context: CommandContext, all = false): Promise<Command> {
  const { terminal } = context;
  const columns = terminal.output.isTTY ? columnsOf(terminal.output) : undefined;
  const program = new Command("miracle");
  const output = {
    writeOut: (text: string) => void terminal.output.write(columns === undefined ? text : reflow(text, columns)),
    getOutHelpWidth: () => columns ?? 80,
    writeErr: (text: string) => void terminal.error.write(text),
    // Commander's own errors look like ours: one line, the hint included.
    outputError: (text: string, write: (text: string) => void) =>
      write(
        `${text
          .trim()
          .replace(/^error:/, "miracle:")
          .replace(/\s*\n\s*/g, " ")}\n`,
      ),
  };
  program
    .description("Give it a goal, get code that is proven to work.")
    .usage("COMMAND [options]")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show help, also for one command: miracle run --help")
    .helpCommand(false)
    .configureOutput(output)
    .exitOverride()
    .addHelpText("after", helpAfter);

  const called = args.find((word) => !word.startsWith("-"));
  for (const [name, entry] of Object.entries(commands)) {
    // Only the help of the whole needs them all.
    if (!all && args[0] === called && name !== called) continue;
    const command = program
      .command(`${name}${entry.usage}`)
      .description(entry.summary)
      .helpGroup(entry.group)
      .helpOption("-h, --help", "show help");
    command.configureOutput(output).exitOverride();
    if (all || name === called) (await entry.load()).define(command, context);
  }
  if (called !== undefined && !Object.hasOwn(commands, called)) throw unknownCommand(called);
  return program;
}

function unknownCommand(word: string): TerminalFailure {
  const hint = /\s/.test(word) ? ' (for a goal write: miracle run "…")' : didYouMean(word, Object.keys(commands));
  const message = `unknown command "${word.slice(0, 60)}"${hint}; \`miracle --help\` lists them`;
  return fail("invalid-input", "cli.unknown-command", message);
}

function reportError(error: unknown, terminal: Terminal, json: boolean): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.badInput;
  if (error instanceof TerminalFailure) {
    const { failure } = error;
    const exitCode = exitCodeOfFailure(failure);
    say(terminal, `miracle: ${failure.message}`, "bad");
    const more = (failure.detail ?? "").split("\n").filter((line) => !failure.message.includes(line.trim()));
    if (more.length > 0) say(terminal, more.join("\n"));
    if (json) terminal.output.write(`${JSON.stringify({ type: "failed", failure, exitCode })}\n`);
    return exitCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  say(terminal, `miracle: internal error: ${message}`, "bad");
  const stack = error instanceof Error ? error.stack : undefined;
  if (terminal.env.MIRACLE_DEBUG && stack) terminal.error.write(`${stack}\n`);
  else terminal.error.write("This is a bug in Miracle; MIRACLE_DEBUG=1 shows where.\n");
  return EXIT.internal;
}
