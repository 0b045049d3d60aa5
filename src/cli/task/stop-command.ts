import type { Command } from "commander";
import { isWorkedOn } from "../../app/worked-on.ts";
import { fail } from "../../domain/failure.ts";
import { wish } from "../../store/tasks.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { printable } from "../text/printable.ts";
import { chooseTask } from "./choose-task.ts";
import { openToLook } from "./open-app.ts";

/** Also a cancelled one: the process that cancelled it may have been killed before the end. */
const CANCELLABLE = new Set(["running", "paused", "cancelled"]);

/** `pause` and `cancel`: the process that works on the task reads the wish. Where there is none, it is cancelled at once. */
export function stopCommand(command: Command, { terminal }: CommandContext, what: "pause" | "cancel"): void {
  command
    .option("--last", "the newest task of this directory, or of all where it has none")
    .action(async (id: string | undefined, flags: { last?: boolean }) => {
      await using opened = await openToLook(terminal);
      const { store } = opened.app;
      const task = await chooseTask(opened.app, id, flags, terminal.directory);
      if (what === "cancel" && CANCELLABLE.has(task.status) && !(await isWorkedOn(opened.app.store, task.id))) {
        const kept: string[] = [];
        opened.app.bus.subscribe((message) => {
          if (message.type === "warning-raised") kept.push(message.message);
        });
        await opened.app.cancel(task.id, task.status);
        const left = kept.length > 0 ? kept.join("; ") : `nothing of it is left in ${task.directory}`;
        terminal.output.write(`task ${task.id} is cancelled; ${printable(left)}\n`);
        return;
      }
      if (!(await isWorkedOn(opened.app.store, task.id)) || !(await wish(store, task.id, what))) {
        const why = task.status === "running" ? "its process is gone" : `it is ${task.status}`;
        throw fail("invalid-input", "task.idle", `nobody works on task ${task.id}: ${why}`);
      }
      const after = what === "pause" ? `; go on with: miracle resume ${task.id}` : "";
      terminal.output.write(`task ${task.id} will ${what} after what is under way${after}\n`);
    });
}
