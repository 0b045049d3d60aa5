import { z } from "zod";
import { fail } from "../domain/failure.ts";
import { Step } from "../domain/task/step.ts";
import { reachable } from "./pack.ts";
import { checkedBlob, type RecordedStrand, type Recording } from "./recording.ts";

/** An exported journal with its blobs and trees: everything needed to replay a task anywhere, offline. */
export const Cassette = z.object({
  format: z.literal("miracle-cassette/1"),
  task: z.string(),
  frozenHash: z.string(),
  steps: z.array(Step),
  /** Canonical JSON texts by their hash. */
  blobs: z.record(z.string(), z.string()),
  /** Trees that a person may want to open: their contents by snapshot id. */
  trees: z.record(z.string(), z.json()),
});
export type Cassette = z.infer<typeof Cassette>;

/** Exports only the newest generation of each strand, because it led to the result. */
export async function exportCassette(recording: Recording, trees: Cassette["trees"]): Promise<Cassette> {
  const steps: Step[] = [];
  const blobs = new Map<string, string>();
  const collect = async (hash: string) => {
    for (const [name, text] of await reachable(hash, (wanted) => recording.blob(wanted))) blobs.set(name, text);
  };
  await collect(recording.frozenHash);
  for (const name of await recording.strands()) {
    for (const step of (await recording.strand(name)).steps) {
      steps.push(step);
      await collect(step.inputHash);
      await collect(step.outputHash);
    }
  }
  steps.sort((a, b) => a.sequence - b.sequence);
  const sorted = [...blobs].sort(([a], [b]) => (a < b ? -1 : 1));
  const { task, frozenHash } = recording;
  return { format: "miracle-cassette/1", task, frozenHash, steps, blobs: Object.fromEntries(sorted), trees };
}

export function parseCassette(text: string, file: string): Cassette {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw fail("invalid-input", "cassette.invalid", `${file} is not JSON, so it is no cassette`, { cause });
  }
  const parsed = Cassette.safeParse(value);
  if (parsed.success) return parsed.data;
  throw fail(
    "invalid-input",
    "cassette.invalid",
    `${file} is no cassette: ${z.prettifyError(parsed.error).split("\n")[0]}`,
  );
}

/** A cassette as a recording. */
export class CassetteRecording implements Recording {
  readonly task: string;
  readonly frozenHash: string;
  readonly #cassette: Cassette;

  constructor(cassette: Cassette) {
    this.#cassette = cassette;
    this.task = cassette.task;
    this.frozenHash = cassette.frozenHash;
  }

  get trees(): Cassette["trees"] {
    return this.#cassette.trees;
  }

  async strand(name: string): Promise<RecordedStrand> {
    const rows = this.#cassette.steps.filter((step) => step.strand === name).sort((a, b) => a.position - b.position);
    return { generation: rows.at(-1)?.generation ?? 0, steps: rows };
  }

  async strands(): Promise<string[]> {
    return [...new Set(this.#cassette.steps.map((step) => step.strand))].sort();
  }

  async blob(hash: string): Promise<string> {
    return checkedBlob(hash, this.#cassette.blobs[hash]);
  }
}
