import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { fail } from "../../domain/failure.ts";
import { exportCassette } from "../../journal/cassette.ts";
import { exportTree } from "../../workspace/portable-tree.ts";
import { count } from "../amounts.ts";
import type { CommandContext } from "../command-line.ts";
import { taskMeant } from "../find-task.ts";
import { openApp } from "../open-app.ts";

interface Flags {
  last?: boolean;
  output?: string;
  force?: boolean;
}

export function define(command: Command, { terminal }: CommandContext): void {
  command
    .option("--last", "the newest task of this directory")
    .option("-o, --output <file>", "write here; default: stdout")
    .option("-f, --force", "write over an existing file")
    .addHelpText(
      "after",
      "\nA cassette holds every prompt, answer and tool output of the task, secrets redacted. It replays on any machine.",
    )
    .action(async (id: string | undefined, flags: Flags) => {
      await using opened = await openApp(terminal, terminal.directory);
      const task = await taskMeant(opened.app, id, flags, terminal.directory);
      const { artifacts } = opened.app;
      const kept = [task.baseTree, task.resultTree].flatMap((tree) => (tree && artifacts.has(tree) ? [tree] : []));
      const trees = Object.fromEntries(kept.map((tree) => [tree, exportTree(artifacts, tree)]));
      const cassette = await exportCassette(await opened.app.recording(task.id), trees);
      const text = `${JSON.stringify(cassette)}\n`;
      if (flags.output === undefined) {
        terminal.output.write(text);
        return;
      }
      writeNew(resolve(terminal.directory, flags.output), flags.output, text, flags.force === true);
      terminal.error.write(`${flags.output}: task ${task.id}, ${count(cassette.steps.length, "step")}\n`);
    });
}

function writeNew(file: string, name: string, text: string, force: boolean): void {
  try {
    writeFileSync(file, text, { flag: force ? "w" : "wx", mode: 0o600 });
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    const why = exists ? "exists already; --force writes over it" : "cannot be written";
    throw fail("invalid-input", "export.unwritable", `${name} ${why}`, { cause: error });
  }
}
