import { fail } from "../domain/failure.ts";
import type { EventBody } from "../domain/task/event.ts";
import type { Step } from "../domain/task/step.ts";
import { sha256 } from "./hash.ts";

/** The recording of one task, in a database or a cassette. */
export interface Recording {
  readonly task: string;
  readonly frozenHash: string;
  /** The newest generation of a strand: its rows from position 0, including those it shares with older generations. */
  strand(name: string): Promise<RecordedStrand>;
  /** Names of all strands that have a row. */
  strands(): Promise<string[]>;
  /** The canonical text of a blob. Throws if it is missing or was changed. */
  blob(hash: string): Promise<string>;
}

/** Checks that a stored text matches its hash. */
export function checkedBlob(hash: string, text: string | undefined): string {
  if (text !== undefined && sha256(text) === hash) return text;
  const problem = text === undefined ? "is missing" : "does not have the content that its name promises";
  throw fail("environment", "journal.damaged", `blob ${hash} ${problem}: the recording is damaged`);
}

export interface RecordedStrand {
  generation: number;
  steps: Step[];
}

/** Where new steps go. Absent in a replay, where nothing runs and nothing is recorded. */
export interface Recorder {
  append(record: NewStep): Promise<Step>;
  /**
   * Starts a generation of the strand that shares its first `start` rows. `left` are the paths of the rows it leaves
   * behind.
   */
  startGeneration(strand: string, start: number, left: string[]): Promise<void>;
}

export interface NewStep {
  strand: string;
  generation: number;
  position: number;
  path: string;
  kind: Step["kind"];
  inputHash: string;
  outcome: Step["outcome"];
  outputHash: string;
  startedAt: number;
  endedAt: number;
  previousHash: string;
  blobs: Map<string, string>;
  events: EventBody[];
  durable: boolean;
}
