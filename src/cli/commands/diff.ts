import type { Command } from "commander";
import type { App } from "../../app.ts";
import { fail } from "../../domain/failure.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import { findTask } from "../../store/tasks.ts";
import { chooseTask } from "../task/choose-task.ts";
import { diffRuns, runDifferenceText } from "../task/diff-runs.ts";
import { openToLook } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { page } from "../terminal/page.ts";
import { columnsOf, painter } from "../terminal/paint.ts";
import { paintDiff } from "../terminal/paint-diff.ts";
import { hasColor } from "../terminal/terminal.ts";
import { printableLines } from "../text/printable.ts";

interface Flags {
  last?: boolean;
  files?: boolean;
  patch?: boolean;
  json?: boolean;
}

const HELP = `
With one task: the change it made, as \`git apply\` reads it; on a terminal in colours (not with NO_COLOR) and by your
pager (MIRACLE_PAGER, PAGER, or less; MIRACLE_PAGER=cat for none). With two: the first step in which their runs differ, verdict,
cost and result of each, and the files in which the results differ.

Examples:
  miracle diff ID
  miracle diff ID FORK
  miracle diff ID FORK --patch    from the one result to the other`;

export function define(command: Command, { terminal }: CommandContext): void {
  command
    .option("--last", "the newest task of this directory, or of all where it has none")
    .option("--files", "only the names of the changed files")
    .option("--patch", "of two tasks: the difference between their results")
    .option("--json", "of two tasks: as JSON")
    .addHelpText("after", HELP)
    .action(async (id: string | undefined, otherId: string | undefined, flags: Flags) => {
      await using opened = await openToLook(terminal);
      const { app } = opened;
      const { output } = terminal;
      const task = await chooseTask(app, id, flags, terminal.directory, ({ resultTree }) => resultTree !== null);
      if (otherId !== undefined && !flags.patch && !flags.files) {
        const difference = await diffRuns(app, task, await findTask(app.store, otherId));
        output.write(flags.json ? `${JSON.stringify(difference)}\n` : runDifferenceText(difference));
        return;
      }
      const [from, to] =
        otherId === undefined
          ? [needed(task, task.baseTree), needed(task, task.resultTree)]
          : [needed(task, task.resultTree), await resultOf(app, otherId)];
      if (flags.files) {
        const files = app.artifacts.changes(from, to).map(({ path }) => `${path}\n`);
        output.write(output.isTTY ? printableLines(files.join("")) : files.join(""));
        return;
      }
      const text = await app.artifacts.diff(from, to);
      // As it is for a program such as `git apply`; on a terminal it must not act.
      if (output.isTTY) {
        await page(terminal, paintDiff(text, painter(hasColor(terminal, output)), columnsOf(output)));
      } else output.write(text);
    });
}

async function resultOf(app: App, id: string): Promise<string> {
  const task = await findTask(app.store, id);
  return needed(task, task.resultTree);
}

function needed({ id }: TaskSummary, tree: string | null): string {
  if (tree !== null) return tree;
  throw fail("invalid-input", "task.no-result", `task ${id} has no result yet; \`miracle show ${id}\` tells more`);
}
