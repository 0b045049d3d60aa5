import type { Command } from "commander";
import { wishCommand } from "../task/wish-command.ts";
import type { CommandContext } from "../terminal/command-context.ts";

export function define(command: Command, context: CommandContext): void {
  wishCommand(command, context, "cancel");
}
