import type { Command } from "commander";
import { stopCommand } from "../task/stop-command.ts";
import type { CommandContext } from "../terminal/command-context.ts";

export function define(command: Command, context: CommandContext): void {
  stopCommand(command, context, "cancel");
}
