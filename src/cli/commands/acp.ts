import type { Command } from "commander";
import { serveAcp } from "../../acp/serve.ts";
import { keepRule } from "../../config/keep-rule.ts";
import { openApp } from "../task/open-app.ts";
import { personName } from "../terminal/ask-approval.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import { say } from "../terminal/paint.ts";
import { answerLines } from "../text/answer-text.ts";
import { eventLine } from "../text/event-line.ts";
import { EXIT } from "../text/exit-codes.ts";
import { plain } from "../text/line.ts";
import { resultLines } from "../text/result-text.ts";
import { version } from "../text/version.ts";
import { emptyView, reduceView } from "../text/view-model.ts";

const HELP = `
Editors start it and speak to it over stdin and stdout
(agentclientprotocol.com). What you write there is a goal, or a question where
it ends with a question mark; a further goal goes on from the last result.
Plan, steps, tests and changes are shown as they come, and questions are put to
you in the editor. To stop pauses the task: \`miracle resume\` goes on.

Example, in the settings of Zed:
  "agent_servers": { "Miracle": { "type": "custom", "command": "miracle", "args": ["acp"] } }`;

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command.addHelpText("after", HELP).action(async () => {
    using interrupts = listenForInterrupts(() => {});
    await using running = serveAcp({
      open: (directory, flags) => openApp(terminal, directory, flags),
      texts: {
        event: eventLine,
        answer: (answer) => plain(answerLines(answer)),
        story: () => {
          let view = emptyView;
          return {
            hear: (message) => {
              view = reduceView(view, message);
            },
            result: (end) => plain(resultLines(end, view, Date.now())),
          };
        },
      },
      person: personName(terminal.env),
      keepRule: (rule) => void keepRule(rule, terminal),
      version: version(),
      // Not the terminal's: the protocol needs the streams themselves.
      input: process.stdin,
      output: process.stdout,
      report: (error) => say(terminal, `miracle: ${error instanceof Error ? error.message : String(error)}`),
    });
    const stopped = new Promise<void>((stop) => interrupts.signal.addEventListener("abort", () => stop()));
    await Promise.race([running.closed, stopped]);
    finish(EXIT.done);
  });
}
