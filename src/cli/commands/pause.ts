import type { Command } from "commander";
import type { CommandContext } from "../command-line.ts";
import { wishCommand } from "../task/wish-command.ts";

export function define(command: Command, context: CommandContext): void {
  wishCommand(command, context, "pause");
}
