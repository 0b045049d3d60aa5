import type { RecordedStrand, Recording } from "./recording.ts";

/**
 * The recording of a task that this process has just created. A strand that was never opened has no rows, so the
 * database need not be asked. If another process takes the task over meanwhile, this one's claim is void and its
 * appends are refused.
 */
export class NewRecording implements Recording {
  readonly task: string;
  readonly frozenHash: string;
  readonly #recording: Recording;
  readonly #opened = new Set<string>();

  constructor(recording: Recording) {
    this.task = recording.task;
    this.frozenHash = recording.frozenHash;
    this.#recording = recording;
  }

  async strand(name: string): Promise<RecordedStrand> {
    if (this.#opened.has(name)) return this.#recording.strand(name);
    this.#opened.add(name);
    return { generation: 0, steps: [] };
  }

  strands(): Promise<string[]> {
    return this.#recording.strands();
  }

  blob(hash: string): Promise<string> {
    return this.#recording.blob(hash);
  }
}
