import type { Command } from "commander";
import { CassetteRecording } from "../../journal/cassette.ts";
import { verifyRecording } from "../../journal/verify.ts";
import { PortableTree, portableTreeId } from "../../workspace/portable-tree.ts";
import { count } from "../amounts.ts";
import type { CommandContext } from "../command-line.ts";
import { EXIT } from "../exit-codes.ts";
import { openApp } from "../open-app.ts";
import { printable } from "../printable.ts";
import { recordingMeant } from "../recording-meant.ts";

interface Flags {
  last?: boolean;
  json?: boolean;
}

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command
    .option("--last", "the newest task of this directory")
    .option("--json", "as JSON")
    .addHelpText("after", "\nThe source is a task's id or a cassette's file. Needs no network and no model.")
    .action(async (source: string | undefined, flags: Flags) => {
      await using opened = await openApp(terminal, terminal.directory);
      const recording = await recordingMeant(opened.app, source, flags, terminal.directory);
      const { steps, blobs, settled, faults: found } = await verifyRecording(recording);
      const faults = [...found, ...(recording instanceof CassetteRecording ? treeFaults(recording) : [])];
      const { output } = terminal;
      if (flags.json) output.write(`${JSON.stringify({ task: recording.task, steps, blobs, settled, faults })}\n`);
      else if (faults.length === 0) {
        output.write(
          `task ${recording.task} holds: ${count(steps, "step")}, ${count(blobs, "blob")}, every hash${settled ? "" : "; it ends before the task did"}\n`,
        );
      } else {
        output.write(
          `task ${recording.task} does not hold:\n${faults.map((fault) => `  ${printable(fault)}\n`).join("")}`,
        );
      }
      if (faults.length > 0) finish(EXIT.tampered);
    });
}

/** The contents of each tree must have the id they are filed under. */
function treeFaults(recording: CassetteRecording): string[] {
  return Object.entries(recording.trees).flatMap(([id, contents]) => {
    const tree = PortableTree.safeParse(contents);
    if (!tree.success) return [`tree ${id}: it cannot be read`];
    return portableTreeId(tree.data) === id ? [] : [`tree ${id}: its contents were changed`];
  });
}
