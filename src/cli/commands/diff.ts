import type { Command } from "commander";
import { fail } from "../../domain/failure.ts";
import type { CommandContext } from "../command-line.ts";
import { taskMeant } from "../find-task.ts";
import { openApp } from "../open-app.ts";
import { printableLines } from "../printable.ts";

export function define(command: Command, { terminal }: CommandContext): void {
  command
    .option("--last", "the newest task of this directory")
    .option("--files", "only the names of the changed files")
    .action(async (id: string | undefined, flags: { last?: boolean; files?: boolean }) => {
      await using opened = await openApp(terminal, terminal.directory);
      const { app } = opened;
      const { id: task, baseTree, resultTree } = await taskMeant(app, id, flags, terminal.directory);
      if (baseTree === null || resultTree === null) {
        throw fail(
          "invalid-input",
          "task.no-result",
          `task ${task} has no result yet; \`miracle show ${task}\` tells more`,
        );
      }
      const text = flags.files
        ? app.artifacts
            .changes(baseTree, resultTree)
            .map(({ path }) => `${path}\n`)
            .join("")
        : await app.artifacts.diff(baseTree, resultTree);
      // As it is for a program such as `git apply`; on a terminal it must not act.
      terminal.output.write(terminal.output.isTTY ? printableLines(text) : text);
    });
}
