import type { Command } from "commander";
import { oneOf } from "../../config/parse-setting.ts";
import { checked } from "../input/options.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { type Completed, completionText, SHELLS, type Shell } from "../text/completion-text.ts";

const HELP = `
To use it in every new terminal:
  bash   echo 'source <(miracle completion bash)' >> ~/.bashrc
  zsh    echo 'source <(miracle completion zsh)' >> ~/.zshrc
  fish   miracle completion fish > ~/.config/fish/completions/miracle.fish`;

export function define(command: Command, { terminal, program }: CommandContext): void {
  command
    .argument("<shell>", SHELLS.join(", "), checked(oneOf(...SHELLS)))
    .addHelpText("after", HELP)
    .action(async (shell: Shell) => {
      const { commands } = await program();
      terminal.output.write(completionText(shell, commands.map(describe)));
    });
}

const describe = (command: Command): Completed => ({
  name: command.name(),
  summary: command.description(),
  flags: command.options.flatMap(({ long, description }) => (long ? [{ name: long, summary: description }] : [])),
  subcommands: command.commands.map((below) => below.name()),
});
