import { resolve } from "node:path";
import type { Command } from "commander";
import { Places } from "../../mcp/places.ts";
import { serveMcp } from "../../mcp/serve.ts";
import { collect } from "../input/options.ts";
import { openApp } from "../task/open-app.ts";
import { taskLines } from "../task/task-lines.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import { say } from "../terminal/paint.ts";
import { answerLines } from "../text/answer-text.ts";
import { eventLine } from "../text/event-line.ts";
import { EXIT } from "../text/exit-codes.ts";
import { plain } from "../text/line.ts";
import { proofLines } from "../text/proof-text.ts";
import { version } from "../text/version.ts";

interface Flags {
  dir?: string[];
}

const HELP = `
Other agents and editors start it and speak to it over stdin and stdout
(modelcontextprotocol.io). It works in the directory where it is started, or
in those of --dir, and below them. Nothing can be accepted without a proof
through it.

Examples:
  claude mcp add miracle -- miracle mcp
  codex mcp add miracle -- miracle mcp --dir ~/shop`;

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command
    .option("--dir <path>", "work for this directory (may be repeated); default: where you are", collect)
    .addHelpText("after", HELP)
    .action(async ({ dir = ["."] }: Flags) => {
      const [first = ".", ...more] = dir.map((path) => resolve(terminal.directory, path));
      using interrupts = listenForInterrupts(() => {});
      await using server = serveMcp({
        places: new Places([first, ...more], terminal.home),
        open: (directory, flags) => openApp(terminal, directory, flags),
        texts: {
          proof: (evidence) => {
            const { verdict, detail } = proofLines(evidence, null);
            return plain([verdict, ...detail]);
          },
          task: async (app, task) => plain(await taskLines(app, task)),
          answer: (answer) => plain(answerLines(answer)),
          event: eventLine,
        },
        version: version(),
        // Not the terminal's: the protocol needs the streams themselves.
        input: process.stdin,
        output: process.stdout,
        report: (error) => say(terminal, `miracle: ${error instanceof Error ? error.message : String(error)}`),
      });
      const stopped = new Promise<void>((stop) => interrupts.signal.addEventListener("abort", () => stop()));
      await Promise.race([server.closed, stopped]);
      finish(EXIT.done);
    });
}
