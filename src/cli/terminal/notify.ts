import { runNotifyCommand } from "../../app/notify-command.ts";
import { say } from "./paint.ts";
import type { Terminal } from "./terminal.ts";

/** Runs the person's own command at the end of a task. If it fails, that is only a warning. */
export async function notify(terminal: Terminal, command: string, facts: Record<string, string>): Promise<void> {
  const problem = await runNotifyCommand(["sh", "-c", command], { ...terminal.env, ...facts });
  if (problem !== undefined) say(terminal, `warning: the notify command failed: ${problem}`);
}
