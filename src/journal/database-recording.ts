import { type Step, StepKind, StepOutcome } from "../domain/task/step.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import { checkedBlob, type RecordedStrand, type Recording } from "./recording.ts";

/** A task's recording in the database. */
export class DatabaseRecording implements Recording {
  readonly task: string;
  readonly frozenHash: string;
  readonly #store: Store;

  constructor(store: Store, task: string, frozenHash: string) {
    this.#store = store;
    this.task = task;
    this.frozenHash = frozenHash;
  }

  async strand(name: string): Promise<RecordedStrand> {
    const generations = await this.#store.read
      .selectFrom("generations")
      .select(["generation", "start"])
      .where("task_id", "=", this.task)
      .where("strand", "=", name)
      .orderBy("generation")
      .execute();
    const rows = await this.#store.read
      .selectFrom("steps")
      .selectAll()
      .where("task_id", "=", this.task)
      .where("strand", "=", name)
      .orderBy("generation")
      .orderBy("position")
      .execute();
    return newestGeneration(rows.map(toStep), generations);
  }

  async strands(): Promise<string[]> {
    const rows = await this.#store.read
      .selectFrom("steps")
      .select("strand")
      .distinct()
      .where("task_id", "=", this.task)
      .orderBy("strand")
      .execute();
    return rows.map((row) => row.strand);
  }

  async blob(hash: string): Promise<string> {
    return readBlob(this.#store, hash);
  }
}

/** Reads the text of a blob and checks it against its hash. */
async function readBlob(store: Store, hash: string): Promise<string> {
  const row = await store.read.selectFrom("blobs").select("bytes").where("hash", "=", hash).executeTakeFirst();
  return checkedBlob(hash, row && Buffer.from(row.bytes).toString("utf8"));
}

/**
 * Selects the rows of the newest generation from the rows of all. Each generation replaces the rows behind its start.
 */
function newestGeneration(rows: Step[], generations: { generation: number; start: number }[]): RecordedStrand {
  const steps = rows.filter((row) => row.generation === 0);
  let newest = 0;
  for (const { generation, start } of generations) {
    steps.splice(start, steps.length, ...rows.filter((row) => row.generation === generation));
    newest = generation;
  }
  return { generation: newest, steps };
}

function toStep(row: Tables["steps"]): Step {
  return {
    task: row.task_id,
    strand: row.strand,
    generation: row.generation,
    position: row.position,
    sequence: row.sequence,
    path: row.path,
    kind: StepKind.parse(row.kind),
    inputHash: row.input_hash,
    outcome: StepOutcome.parse(row.outcome),
    outputHash: row.output_hash,
    startedAt: Number(row.started_at),
    endedAt: Number(row.ended_at),
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}
