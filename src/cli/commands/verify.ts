import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { replayFaults } from "../../engine/replay-faults.ts";
import { CassetteRecording } from "../../journal/cassette.ts";
import { verifyRecording } from "../../journal/verify.ts";
import { openLanguages } from "../../languages/open-languages.ts";
import { isBundle } from "../../verify/evidence/bundle.ts";
import { cassetteTreeFaults } from "../../verify/evidence/cassette-trees.ts";
import { openApp } from "../task/open-app.ts";
import { openRecording } from "../task/open-recording.ts";
import { type BundleFlags, verifyBundle } from "../task/verify-bundle.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { count } from "../text/amounts.ts";
import { EXIT } from "../text/exit-codes.ts";
import { printable } from "../text/printable.ts";

interface Flags extends BundleFlags {
  last?: boolean;
}

const HELP = `
The source is a task's id, a cassette's file or a bundle of evidence. Needs no network and no model. Any changed byte is
found and named; the journal is replayed, and what evidence says is made again from it, or from what prove measured, and
compared. Whoever made a bundle may have made everything in it, so compare the root hash with the one you were told
(--root), have the bundle signed, or run the proof again (--rerun).

Examples:
  miracle verify ID
  miracle verify evidence --root 3b1f…
  miracle verify evidence --allowed-signers ~/.ssh/allowed_signers
  miracle verify evidence --rerun            run its proof again, on its own trees`;

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command
    .option("--last", "the newest task of this directory, or of all where it has none")
    .option("--root <hash>", "of a bundle: the root hash it must have")
    .option("--rerun", "of a bundle: run its proof again in a clean sandbox and compare")
    .option("--signature", "of a bundle: it must be signed")
    .option("--allowed-signers <file>", "of a bundle: signed by one of these, as ssh-keygen -Y verify reads them")
    .option("--json", "as JSON")
    .addHelpText("after", HELP)
    .action(async (source: string | undefined, flags: Flags) => {
      const place = source === undefined ? undefined : resolve(terminal.directory, source);
      await using opened = await openApp(terminal, terminal.directory);
      if (source !== undefined && place !== undefined && existsSync(place) && isBundle(place)) {
        finish(await verifyBundle(terminal, opened, { name: source, place }, flags));
        return;
      }
      const recording = await openRecording(opened.app, source, flags, terminal.directory);
      const { steps, blobs, settled, faults: found } = await verifyRecording(recording);
      const faults = [...found, ...(recording instanceof CassetteRecording ? cassetteTreeFaults(recording) : [])];
      if (found.length === 0) faults.push(...(await replayFaults(recording, openLanguages())));
      const { output } = terminal;
      if (flags.json) output.write(`${JSON.stringify({ task: recording.task, steps, blobs, settled, faults })}\n`);
      else if (faults.length === 0) {
        output.write(
          `task ${recording.task} holds: ${count(steps, "step")}, ${count(blobs, "blob")}, every hash, and it replays${settled ? "" : "; it ends before the task did"}\n`,
        );
      } else {
        output.write(
          `task ${recording.task} does not hold:\n${faults.map((fault) => `  ${printable(fault)}\n`).join("")}`,
        );
      }
      if (faults.length > 0) finish(EXIT.tampered);
    });
}
