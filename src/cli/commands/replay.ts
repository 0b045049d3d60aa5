import type { Command } from "commander";
import { offeredTools } from "../../agents/offered-tools.ts";
import type { OpenedApp } from "../../app.ts";
import { packageRoot } from "../../config/package-root.ts";
import { readPrompts } from "../../config/prompts.ts";
import { fail } from "../../domain/failure.ts";
import { type Replayed, replayTask } from "../../engine/replay-task.ts";
import { CassetteRecording } from "../../journal/cassette.ts";
import type { Frozen } from "../../journal/frozen.ts";
import { readFrozen } from "../../journal/journal.ts";
import type { Recording } from "../../journal/recording.ts";
import { openLanguages } from "../../languages/open-languages.ts";
import { PortableTree, portableTreeId } from "../../workspace/portable-tree.ts";
import { addViewOptions, type ViewFlags } from "../input/options.ts";
import { openApp } from "../task/open-app.ts";
import { openRecording } from "../task/open-recording.ts";
import { replayLive } from "../task/replay-live.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { EXIT } from "../text/exit-codes.ts";
import { printableLines } from "../text/printable.ts";

interface Flags extends ViewFlags {
  last?: boolean;
  current?: boolean;
  live?: boolean;
  dir?: string;
}

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command
    .option("--last", "the newest task of this directory, or of all where it has none")
    .option("--current", "with today's prompts and tools: names the first step that would differ")
    .option("--live", "really run tools and tests in a new task; only the model's answers are the recorded ones")
    .option("--dir <path>", "with --live: an empty directory to work for; node_modules or .venv may be there");
  addViewOptions(command)
    .addHelpText("after", "\nThe source is a task's id or a cassette's file. Needs no network and no model.")
    .action(async (source: string | undefined, flags: Flags) => {
      await using opened = await openApp(terminal, terminal.directory);
      const recording = await openRecording(opened.app, source, flags, terminal.directory);
      if (flags.live) {
        finish(await replayLive({ terminal, opened, recording, flags, drift: "told" }));
        return;
      }
      const today = flags.current ? await todaysFrozen(opened, recording) : undefined;
      const replayed = await replayTask(recording, openLanguages(), today);
      if (recording instanceof CassetteRecording) checkTrees(recording, replayed);
      terminal.output.write(flags.json ? `${JSON.stringify(asJson(replayed))}\n` : describe(recording.task, replayed));
      if (replayed.ended === "diverged") finish(EXIT.tampered);
    });
}

/** What the task would be started with today: everything but its request, its settings and its seed. */
async function todaysFrozen({ config }: OpenedApp, recording: Recording): Promise<Frozen> {
  const frozen = await readFrozen(recording);
  return {
    ...frozen,
    prompts: readPrompts(packageRoot(), config.promptOverrides),
    tools: offeredTools(frozen.settings),
  };
}

/** The contents a cassette carries must be the ones that the outcome names. */
function checkTrees(recording: CassetteRecording, replayed: Replayed): void {
  const tree = replayed.ended === "same" ? replayed.outcome.tree : null;
  const contents = tree === null ? undefined : recording.trees[tree];
  if (tree === null || contents === undefined) return;
  const found = portableTreeId(PortableTree.parse(contents));
  if (found === tree) return;
  throw fail(
    "invalid-input",
    "cassette.tree",
    `the result in the cassette is not tree ${tree} but ${found}: it was changed`,
  );
}

function describe(task: string, replayed: Replayed): string {
  switch (replayed.ended) {
    case "same": {
      const { outcome } = replayed;
      const tree = outcome.tree === null ? "" : `, tree ${outcome.tree}`;
      return `task ${task} replays to the same end: ${outcome.status}${tree}\n`;
    }
    case "unfinished":
      return `task ${task} replays as far as it was recorded, to before step ${replayed.at}\n`;
    case "diverged":
      return `task ${task} ${printableLines(replayed.divergence.message)}\n`;
  }
}

function asJson(replayed: Replayed) {
  if (replayed.ended !== "diverged") return replayed;
  const { step, differences, message } = replayed.divergence;
  return { ended: replayed.ended, step, differences, message };
}
