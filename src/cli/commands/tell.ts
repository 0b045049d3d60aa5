import type { Command } from "commander";
import { isWorkedOn } from "../../app/worked-on.ts";
import { fail } from "../../domain/failure.ts";
import { LONGEST_MESSAGE } from "../../domain/plan/amendment.ts";
import { addServerOption } from "../input/options.ts";
import { readAll } from "../input/read-all.ts";
import { ServerClient } from "../remote/server-client.ts";
import { chooseTaskAndWords } from "../task/choose-task.ts";
import { openApp } from "../task/open-app.ts";
import { tellInWords } from "../task/tell-in-words.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { grouped } from "../text/amounts.ts";

interface Flags {
  last?: boolean;
  json?: boolean;
  server?: string;
}

export function define(command: Command, { terminal }: CommandContext): void {
  addServerOption(command)
    .option("--last", "the newest task of this directory; then all words are the message")
    .option("--json", "the event as JSON")
    .addHelpText(
      "after",
      `
The message is written down at once. It is heard before the tests are written, and then whenever an iteration has ended; a
task that is paused or was interrupted hears it when it is resumed. What changes the spec gets its tests first: new requirements are
added, others changed or dropped, the plan follows, and the coder goes on from where it is. A hint is given to the coder as
it is. \`miracle show\` says what waits and what was heard. Words, or - to read them from stdin.
Examples:
  miracle tell "use httpx, not requests"      the newest task of this directory
  miracle tell t0k3x9a1 "negative numbers are an error: raise ValueError"`,
    )
    .action(async (first: string | undefined, rest: string[], flags: Flags) => {
      const client = ServerClient.from(flags.server, terminal.env);
      if (client) {
        const { chooseRemote, tellRemotely } = await import("../remote/remote-commands.ts");
        const id = flags.last ? undefined : first;
        const words = flags.last && first !== undefined ? [first, ...rest] : rest;
        const text = await messageOf(words, terminal);
        const task = await chooseRemote(client, id, flags);
        return tellRemotely(terminal, client, task, { message: text, json: flags.json });
      }
      await using opened = await openApp(terminal, terminal.directory);
      const { app } = opened;
      const all = first === undefined ? rest : [first, ...rest];
      const { task, words } = await chooseTaskAndWords(app, all, flags, terminal.directory);
      const text = await messageOf(words, terminal);
      const event = await tellInWords(terminal, opened, task.id, text);
      if (flags.json) {
        terminal.output.write(`${JSON.stringify(event)}\n`);
        return;
      }
      const when = (await isWorkedOn(app.store, task.id))
        ? "heard as soon as the iteration that is under way has ended"
        : `heard when the task goes on: miracle resume ${task.id}`;
      terminal.output.write(`told task ${task.id}; it is ${when}\n`);
    });
}

async function messageOf(words: string[], terminal: Terminal): Promise<string> {
  const said =
    words.length === 1 && words[0] === "-" ? await readAll(terminal.input, LONGEST_MESSAGE) : words.join(" ");
  const text = said.replaceAll("\0", "").trim().toWellFormed();
  if (text === "") {
    throw fail(
      "invalid-input",
      "tell.empty",
      'the message is empty: write it as in miracle tell ID "…", or - for stdin',
    );
  }
  if (text.length <= LONGEST_MESSAGE) return text;
  const limit = grouped(LONGEST_MESSAGE);
  throw fail(
    "invalid-input",
    "tell.too-long",
    `the message is longer than ${limit} characters: say what changes, and put longer text into a file of the project`,
  );
}
