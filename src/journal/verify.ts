import type { Step } from "../domain/step.ts";
import { genesis, rowHash } from "./chain.ts";
import { reachable } from "./pack.ts";
import { checkedBlob, type Recording } from "./recording.ts";

export interface Verification {
  steps: number;
  blobs: number;
  /** Empty when every hash holds; otherwise one line per fault, naming the step. */
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
  let steps = 0;
  for (const name of await recording.strands()) {
    const strand = await recording.strand(name);
    faults.push(...chainFaults(strand.steps, genesis(recording.task, name, recording.frozenHash)));
    for (const step of strand.steps) {
      await check(step.inputHash, `input of ${step.path}`);
      await check(step.outputHash, `output of ${step.path}`);
    }
    steps += strand.steps.length;
  }
  return { steps, blobs: blobs.size, faults };
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
