import type { Command } from "commander";
import { verifyRecording } from "../../journal/verify.ts";
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
      const { steps, blobs, faults } = await verifyRecording(recording);
      const { output } = terminal;
      if (flags.json) output.write(`${JSON.stringify({ task: recording.task, steps, blobs, faults })}\n`);
      else if (faults.length === 0) {
        output.write(`task ${recording.task} holds: ${count(steps, "step")}, ${count(blobs, "blob")}, every hash\n`);
      } else {
        output.write(
          `task ${recording.task} does not hold:\n${faults.map((fault) => `  ${printable(fault)}\n`).join("")}`,
        );
      }
      if (faults.length > 0) finish(EXIT.tampered);
    });
}
