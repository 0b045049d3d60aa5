import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { stateOf } from "../../app/task-state.ts";
import { isWorkedOn } from "../../app/worked-on.ts";
import type { App } from "../../app.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import { readEvents } from "../../store/events.ts";
import { findTask } from "../../store/tasks.ts";
import { unsettledCalls } from "../../store/unsettled-calls.ts";
import { addServerOption, addViewOptions, type ViewFlags, viewMode } from "../input/options.ts";
import { ServerClient } from "../remote/server-client.ts";
import { chooseTask } from "../task/choose-task.ts";
import { openToLook } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { openView, type View } from "../terminal/live-view.ts";
import { answeredTokens, describeTask } from "../text/task-text.ts";

/** How often the database is asked for what is new. */
const POLL_MS = 200;

interface Flags extends ViewFlags {
  last?: boolean;
  server?: string;
}

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command
    .option("--last", "the newest task of this directory, or of all where it has none")
    .addHelpText(
      "after",
      "\nShows everything from the task's beginning and ends with it. Ctrl-C ends the watching, not the task.",
    );
  addServerOption(command);
  addViewOptions(command).action(async (id: string | undefined, flags: Flags) => {
    const client = ServerClient.from(flags.server, terminal.env);
    if (client) {
      const { chooseRemote, watchRemotely } = await import("../remote/remote-commands.ts");
      finish(await watchRemotely(terminal, client, (await chooseRemote(client, id, flags)).id, flags));
      return;
    }
    await using opened = await openToLook(terminal);
    const { app } = opened;
    const { id: task } = await chooseTask(app, id, flags, terminal.directory);
    const mode = viewMode(flags);
    let last: TaskSummary;
    let answered: number;
    {
      using view = openView(terminal, { mode });
      ({ summary: last, answered } = await follow(app, task, view));
    }
    if (mode === "json") return;
    const unsettled = (await unsettledCalls(app.store, [task])).get(task);
    terminal.output.write(describeTask(last, await stateOf(app.store, last), Date.now(), unsettled, answered));
  });
}

/** Until nobody works on the task any more; what is left in the store is shown before the end. */
async function follow(app: App, task: string, view: View): Promise<{ summary: TaskSummary; answered: number }> {
  let after = 0;
  let answered = 0;
  for (;;) {
    const summary = await findTask(app.store, task);
    const events = await readEvents(app.store, task, after);
    for (const event of events) view.show(event);
    answered += answeredTokens(events);
    after = events.at(-1)?.number ?? after;
    if (events.length > 0) continue;
    if (summary.status !== "running" || !(await isWorkedOn(app.store, task))) return { summary, answered };
    await sleep(POLL_MS);
  }
}
