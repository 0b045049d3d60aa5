import type { Step } from "../domain/task/step.ts";
import { genesis, rowHash } from "./chain.ts";
import { reachable } from "./pack.ts";
import { checkedBlob, type Recording } from "./recording.ts";

export interface Verification {
  steps: number;
  blobs: number;
  /** False if the recording ends before the task does. */
  settled: boolean;
  /** One line per fault, naming the step. Empty if every hash is right. */
  faults: string[];
}

/** Checks every chain and every blob of a recording, with no network and no model. */
export async function verifyRecording(recording: Recording): Promise<Verification> {
  const faults: string[] = [];
  const blobs = new Set<string>();
  const check = async (hash: string, where: string) => {
    try {
      const found = await reachable(hash, async (wanted) => checkedBlob(wanted, await recording.blob(wanted)));
      for (const name of found.keys()) blobs.add(name);
    } catch (error) {
      faults.push(`${where}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  await check(recording.frozenHash, "what the task froze");
  const all: Step[] = [];
  for (const name of await recording.strands()) {
    const strand = await recording.strand(name);
    faults.push(...chainFaults(strand.steps, genesis(recording.task, name, recording.frozenHash)));
    for (const step of strand.steps) {
      await check(step.inputHash, `input of ${step.path}`);
      await check(step.outputHash, `output of ${step.path}`);
    }
    all.push(...strand.steps);
  }
  faults.push(...gaps(all));
  return { steps: all.length, blobs: blobs.size, settled: all.some((step) => step.path === SETTLE), faults };
}

/** The last step of a task's own strand. */
const SETTLE = "task/settle/1";

/** Steps are numbered over all strands, so a removed strand leaves a gap. Older generations leave gaps legitimately. */
function gaps(steps: Step[]): string[] {
  if (steps.some((step) => step.generation > 0)) return [];
  const numbers = new Set(steps.map((step) => step.sequence));
  const missing = Array.from({ length: Math.max(-1, ...numbers) + 1 }, (_, number) => number).filter(
    (number) => !numbers.has(number),
  );
  if (missing.length === 0) return [];
  return [`${missing.length} steps are missing, the first is number ${missing[0]}`];
}

function chainFaults(steps: Step[], start: string): string[] {
  const faults: string[] = [];
  let previous = start;
  steps.forEach((step, position) => {
    const { hash, ...row } = step;
    if (step.position !== position) faults.push(`${step.path}: stands at place ${step.position}, expected ${position}`);
    if (step.previousHash !== previous) faults.push(`${step.path}: does not follow the step before it`);
    if (rowHash(row) !== hash) faults.push(`${step.path}: its row was changed`);
    previous = hash;
  });
  return faults;
}
