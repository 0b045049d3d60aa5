import { z } from "zod";
import { Failure, isOutside, TerminalFailure } from "../domain/failure.ts";
import { type Json, plainJson } from "../domain/json.ts";
import { EventBody } from "../domain/task/event.ts";
import type { Step, StepKind } from "../domain/task/step.ts";
import { stepPath } from "../domain/task/step-path.ts";
import { genesis } from "./chain.ts";
import { Divergence, differences } from "./divergence.ts";
import { pack, unpack } from "./pack.ts";
import type { RecordedStrand, Recorder, Recording } from "./recording.ts";
import type { Redact } from "./redact.ts";

export interface StepSpec<T> {
  kind: StepKind;
  /** Scope and name: `iteration:1/code`. The n-th step with a name has the path `<strand>/<name>/n`. */
  name: string;
  /** What the effect depends on. When the run reaches the step again, the hash of the input must be the same. */
  input: unknown;
  /** Parses the recorded output, because the journal is a boundary of the program. */
  output: z.ZodType<T>;
  /**
   * False if a power cut may lose the step together with all later ones, because it can be repeated without outside
   * effects.
   */
  durable?: boolean;
}

export interface StepContext {
  path: string;
  /** The event is committed together with the step, and shown only when the step really ran. */
  emit(event: EventBody): void;
}

/** What all strands of one task share. */
export interface StrandParts {
  recording: Recording;
  /** Absent in a replay. */
  recorder: Recorder | undefined;
  redact: Redact;
  clock: () => number;
  signal: AbortSignal;
  /**
   * Steps below this sequence come from the parent of a fork, which used other prompts. Their model inputs are accepted
   * as recorded. 0 for every task that is not a fork with other prompts.
   */
  askedOtherwise?: number;
}

/**
 * A strictly sequential run of steps.
 *
 * Invariants:
 * 1. The n-th call of `step` belongs to the n-th row. Rows are only added at the end.
 * 2. A recorded step never runs again. A step that runs is committed before its result is returned.
 * 3. `step` returns the same value in a live run, a resume and a replay.
 */
export class Strand {
  readonly name: string;
  readonly #parts: StrandParts;
  readonly #counters = new Map<string, number>();
  readonly #recorded: Step[];
  readonly #generation: number;
  #position = 0;
  #head: string;
  #running: string | undefined;

  private constructor(name: string, parts: StrandParts, recorded: RecordedStrand) {
    this.name = name;
    this.#parts = parts;
    this.#recorded = recorded.steps;
    this.#generation = recorded.generation;
    this.#head = genesis(parts.recording.task, name, parts.recording.frozenHash);
  }

  static async open(name: string, parts: StrandParts): Promise<Strand> {
    return new Strand(name, parts, await parts.recording.strand(name));
  }

  /** How many steps this run has passed. */
  get position(): number {
    return this.#position;
  }

  /** The hash of the last row this run has passed. */
  get head(): string {
    return this.#head;
  }

  /** Returns the recorded output of the effect. Runs the effect now if it never ran. */
  async step<T>(spec: StepSpec<T>, effect: (context: StepContext) => Promise<T>): Promise<T> {
    if (this.#running !== undefined) {
      throw new Error(
        `strand ${this.name}: step ${spec.name} overlaps ${this.#running}; concurrent work needs strands of its own`,
      );
    }
    this.#running = spec.name;
    try {
      const path = this.#nextPath(spec.name);
      const input = pack(spec.input);
      const row = this.#recorded[this.#position];
      if (row) return await this.#recall(row, path, input.hash, spec);
      if (!this.#parts.recorder) throw new Divergence(path, "the recording ends before it", [], true);
      return await this.#perform(path, input, spec, effect, this.#parts.recorder);
    } finally {
      this.#running = undefined;
    }
  }

  /**
   * For a step that is only taken when something comes from outside: whether it is the next recorded step. Undefined
   * after the end of the recording, where the run must look for itself.
   */
  isNext(name: string): boolean | undefined {
    const row = this.#recorded[this.#position];
    if (row) return row.path === stepPath(this.name, name, (this.#counters.get(name) ?? 0) + 1);
    return this.#parts.recorder ? undefined : false;
  }

  /** The time when this step was first reached. */
  now(name = "clock"): Promise<number> {
    return this.step({ kind: "decision", name, input: null, output: z.number(), durable: false }, async () =>
      this.#parts.clock(),
    );
  }

  /** In a replay: checks that the run reached everything that was recorded. */
  assertFinished(): void {
    const unreached = this.#recorded[this.#position];
    if (unreached) throw new Divergence(unreached.path, "it was recorded but never reached");
  }

  /**
   * Called after a divergence of a resumed run. The next opening of the strand shares the rows up to the last
   * checkpoint before the divergence, or none, and continues from there. The old rows stay. This terminates, because a
   * strand that starts from nothing meets no old rows. False in a replay, or if another strand diverged.
   */
  async startOver(diverged: Divergence): Promise<boolean> {
    const at = this.#recorded.findIndex((row) => row.path === diverged.step);
    if (at === -1 || !this.#parts.recorder) return false;
    const checkpoint = this.#recorded.slice(0, at).findLastIndex((row) => row.kind === "checkpoint");
    const left = this.#recorded.slice(checkpoint + 1).map((row) => row.path);
    await this.#parts.recorder.startGeneration(this.name, checkpoint + 1, left);
    return true;
  }

  #nextPath(name: string): string {
    const count = (this.#counters.get(name) ?? 0) + 1;
    this.#counters.set(name, count);
    return stepPath(this.name, name, count);
  }

  async #recall<T>(row: Step, path: string, inputHash: string, spec: StepSpec<T>): Promise<T> {
    if (row.path !== path) throw new Divergence(row.path, `the run now takes step ${path} instead`);
    const askedOtherwise = row.kind === "model" && row.sequence < (this.#parts.askedOtherwise ?? 0);
    if (row.inputHash !== inputHash && !askedOtherwise) {
      const recorded = await this.#load(row.inputHash);
      throw new Divergence(path, "its input differs", differences(recorded, plainJson(spec.input)));
    }
    const output = await this.#load(row.outputHash);
    this.#advance(row);
    if (row.outcome === "failed") throw new TerminalFailure(Failure.parse(output));
    const parsed = spec.output.safeParse(output);
    if (!parsed.success) throw new Divergence(path, "what was recorded cannot be read any more");
    return parsed.data;
  }

  async #perform<T>(
    path: string,
    input: ReturnType<typeof pack>,
    spec: StepSpec<T>,
    effect: (context: StepContext) => Promise<T>,
    recorder: Recorder,
  ): Promise<T> {
    this.#parts.signal.throwIfAborted();
    const events: EventBody[] = [];
    const startedAt = this.#parts.clock();
    let outcome: Step["outcome"] = "ok";
    let value: unknown;
    try {
      value = await effect({ path, emit: (event) => events.push(this.#redacted(event)) });
    } catch (error) {
      if (!(error instanceof TerminalFailure) || isOutside(error.failure.kind)) throw error;
      outcome = "failed";
      value = error.failure;
    }
    const output = this.#parts.redact(plainJson(value));
    const packed = pack(output);
    for (const [hash, text] of packed.blobs) input.blobs.set(hash, text);
    const row = await recorder.append({
      strand: this.name,
      generation: this.#generation,
      position: this.#position,
      path,
      kind: spec.kind,
      inputHash: input.hash,
      outcome,
      outputHash: packed.hash,
      startedAt,
      endedAt: this.#parts.clock(),
      previousHash: this.#head,
      blobs: input.blobs,
      events,
      durable: spec.durable ?? true,
    });
    this.#advance(row);
    if (outcome === "failed") throw new TerminalFailure(Failure.parse(output));
    return spec.output.parse(output);
  }

  /** Events are redacted, because they are recorded and shown, too. */
  #redacted(event: EventBody): EventBody {
    const plain = plainJson(event);
    const clean = this.#parts.redact(plain);
    return clean === plain ? event : EventBody.parse(clean);
  }

  #advance(row: Step): void {
    this.#position += 1;
    this.#head = row.hash;
  }

  #load(hash: string): Promise<Json> {
    return unpack(hash, (wanted) => this.#parts.recording.blob(wanted));
  }
}
