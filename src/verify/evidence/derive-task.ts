import { TerminalFailure } from "../../domain/failure.ts";
import { CassetteRecording, parseCassette } from "../../journal/cassette.ts";
import type { Recording } from "../../journal/recording.ts";
import { verifyRecording } from "../../journal/verify.ts";
import { BUNDLE } from "./bundle.ts";
import { cassetteTreeFaults } from "./cassette-trees.ts";
import type { Derive } from "./check-bundle.ts";
import { documentOfTask } from "./document-of-task.ts";

/** Replays a recording with no model, no sandbox and no file. One line for each thing that does not follow. */
export type Replay = (recording: Recording) => Promise<string[]>;

/**
 * How the evidence of a task is made again: the journal must hold in every hash, replay to its own end, and say with the
 * trees what the document says.
 */
export const deriveTask =
  (replay: Replay): Derive =>
  async (files, { artifacts }) => {
    const content = files.get(BUNDLE.cassette);
    if (!content) return { cannot: "the journal is not in the bundle, so nothing of evidence.json can be derived" };
    const named = (faults: string[]) => faults.map((fault) => `${BUNDLE.cassette}: ${fault}`);
    try {
      const recording = new CassetteRecording(parseCassette(content.toString("utf8"), BUNDLE.cassette));
      const faults = [...(await verifyRecording(recording)).faults, ...cassetteTreeFaults(recording)];
      if (faults.length > 0) return { document: null, faults: named(faults) };
      const diverged = await replay(recording);
      const { document } = await documentOfTask({ recording, artifacts });
      return { document, faults: named(diverged) };
    } catch (error) {
      // A journal that somebody else wrote may hold anything. What cannot be read does not hold.
      const failed = error instanceof TerminalFailure ? error.message : `it cannot be read: ${firstLine(error)}`;
      return { document: null, faults: named([failed]) };
    }
  };

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
