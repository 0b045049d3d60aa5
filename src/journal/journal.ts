import type { Transaction } from "kysely";
import type { Bus } from "../bus/bus.ts";
import { fail } from "../domain/failure.ts";
import { type Json, plainJson } from "../domain/json.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import { type ClaimOptions, claimTask, type Owner, type TaskClaim } from "./claim.ts";
import { DatabaseRecorder, type Fence, insertBlobs } from "./database-recorder.ts";
import { DatabaseRecording } from "./database-recording.ts";
import { Divergence } from "./divergence.ts";
import type { Frozen } from "./frozen.ts";
import { NewRecording } from "./new-recording.ts";
import { pack, unpack } from "./pack.ts";
import { personAsking } from "./person-asking.ts";
import type { Recording } from "./recording.ts";
import type { Redact } from "./redact.ts";
import { Strand, type StrandParts } from "./strand.ts";

export interface JournalParts {
  redact: Redact;
  clock: () => number;
  signal: AbortSignal;
  bus: Bus;
  /** Done before a step is recorded: what the step names must be where every other process finds it. */
  beforeStep?: (task: string) => Promise<void>;
}

/**
 * The durable steps of one task. In a live run, recorded steps return their output and the others run. In a replay
 * nothing runs.
 */
export class Journal {
  readonly task: string;
  readonly frozen: Frozen;
  /** Absent in a replay. */
  readonly claim: TaskClaim | undefined;
  /** Of a guest: what it writes beside its steps passes it, too. */
  readonly fence: Fence | undefined;
  readonly #parts: StrandParts;

  private constructor(frozen: Frozen, parts: StrandParts, claim: TaskClaim | undefined, fence?: Fence) {
    this.task = parts.recording.task;
    this.frozen = frozen;
    this.#parts = parts;
    this.claim = claim;
    this.fence = fence;
  }

  /** Creates a task and claims it in the same transaction. */
  static async create(store: Store, task: string, frozen: Frozen, owner: Owner, parts: JournalParts): Promise<Journal> {
    const plain = plainJson(frozen);
    const redacted = parts.redact(plain);
    // Parsing takes 15 ms at every start, so it is done only if redaction changed something.
    const clean = redacted === plain ? frozen : await parseFrozen(redacted);
    const packed = pack(redacted);
    const now = parts.clock();
    const insert = async (tx: Transaction<Tables>) => {
      await insertBlobs(tx, [...packed.blobs]);
      await tx
        .insertInto("tasks")
        .values({
          id: task,
          description: clean.request.goal,
          directory: clean.request.directory,
          status: "running",
          phase: "init",
          frozen_hash: packed.hash,
          parent_id: clean.request.parent ?? null,
          project_type: clean.request.type ?? null,
          epoch: 1,
          owner: JSON.stringify(owner),
          created_at: now,
          updated_at: now,
          base_tree: null,
          final_code: null,
          failure: null,
          wish: null,
          person: personAsking(),
        })
        .execute();
    };
    // Nothing can be lost yet. The first durable commit comes before a model is asked, and makes this durable, too.
    await store.write(insert, { durable: false });
    const claim = { task, epoch: 1, frozenHash: packed.hash };
    const recording = new NewRecording(new DatabaseRecording(store, task, packed.hash));
    return Journal.#live(store, claim, clean, parts, recording);
  }

  /** Claims an existing task and continues from exactly the step it reached. */
  static async resume(
    store: Store,
    task: string,
    owner: Owner,
    parts: JournalParts,
    options: ClaimOptions = { purpose: "work" },
  ): Promise<Journal> {
    const claim = await claimTask(store, task, owner, options);
    const recording = new DatabaseRecording(store, task, claim.frozenHash);
    return Journal.#live(store, claim, await readFrozen(recording), parts, recording);
  }

  /** Works on strands of a task that another process has claimed and lends. The fence says which ones. */
  static async lent(store: Store, claim: TaskClaim, parts: JournalParts, fence: Fence): Promise<Journal> {
    const recording = new DatabaseRecording(store, claim.task, claim.frozenHash);
    return Journal.#live(store, claim, await readFrozen(recording), parts, recording, fence);
  }

  static #live(
    store: Store,
    claim: TaskClaim,
    frozen: Frozen,
    { bus, beforeStep, ...parts }: JournalParts,
    recording: Recording,
    fence?: Fence,
  ): Journal {
    const recorder = new DatabaseRecorder(store, claim.task, claim.epoch, bus, beforeStep, fence);
    const strands = { ...parts, recording, recorder, askedOtherwise: askedOtherwise(frozen) };
    return new Journal(frozen, strands, claim, fence);
  }

  /** The same journal, with steps that this signal stops. */
  withSignal(signal: AbortSignal): Journal {
    return new Journal(this.frozen, { ...this.#parts, signal }, this.claim, this.fence);
  }

  /**
   * Nothing runs: every step must be recorded. `today` replaces the recording's own frozen settings for a comparison.
   */
  static async replay(recording: Recording, today?: Frozen): Promise<Journal> {
    const frozen = today ?? (await readFrozen(recording));
    const signal = new AbortController().signal;
    return new Journal(
      frozen,
      {
        recording,
        recorder: undefined,
        redact: (value) => value,
        clock: () => 0,
        signal,
        askedOtherwise: askedOtherwise(frozen),
      },
      undefined,
    );
  }

  /**
   * Runs `work` on the named strand. If a resumed run diverges, it continues from the last checkpoint as a new
   * generation. In a replay the divergence is the result.
   */
  async run<T>(name: string, work: (strand: Strand) => Promise<T>): Promise<T> {
    const strand = await Strand.open(name, this.#parts);
    try {
      const result = await work(strand);
      if (!this.#parts.recorder) strand.assertFinished();
      return result;
    } catch (error) {
      if (!(error instanceof Divergence) || !(await strand.startOver(error))) throw error;
      return this.run(name, work);
    }
  }
}

/** 0 means that the past must match exactly, because the fork has the parent's prompts. */
const askedOtherwise = ({ fork }: Frozen): number => fork?.askedOtherwise ?? 0;

export async function readFrozen(recording: Recording): Promise<Frozen> {
  return parseFrozen(await unpack(recording.frozenHash, (hash) => recording.blob(hash)));
}

/** Also of a recording that only another Miracle can read. */
export async function readFormat(recording: Recording): Promise<number> {
  return Number(formatOf(await unpack(recording.frozenHash, (hash) => recording.blob(hash))) ?? 0);
}

const formatOf = (value: Json): Json | undefined =>
  typeof value === "object" && value !== null && "format" in value ? value.format : undefined;

/** Loaded on demand: a new task never needs it, and its schema is the largest of all. */
async function parseFrozen(value: Json): Promise<Frozen> {
  const { FORMAT, Frozen } = await import("./frozen.ts");
  const format = formatOf(value);
  if (format !== FORMAT) {
    const said = format === undefined ? "none" : JSON.stringify(format);
    const message = `this was recorded in another format (${said}; this Miracle reads ${FORMAT}): run the goal again, or read it with the Miracle that made it`;
    throw fail("invalid-input", "recording.format", message);
  }
  return Frozen.parse(value);
}
