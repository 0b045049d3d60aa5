import { join } from "node:path";
import { buildMemory } from "../../src/memory/memory-builder.ts";
import { ASSUMED, type Assumed } from "./simulated-model.ts";
import type { Stream } from "./stream.ts";
import { lessonOf, type Outcome, work } from "./work.ts";

export const ARMS = ["no memory", "memory", "poisoned", "poisoned, unmeasured"] as const;
export type ArmName = (typeof ARMS)[number];

export interface ArmOutcome extends Outcome {
  /** The records that were wrong from the start. */
  wrong: Set<string>;
}

/**
 * Works through the stream in one way. A poisoned memory knows a lesson of every cause beforehand, half of them wrong, and
 * learns nothing more: whatever harm goes away, goes away by the effect measure alone.
 */
export async function runArm(
  name: ArmName,
  stream: Stream,
  directory: string,
  assumed: Assumed = ASSUMED,
): Promise<ArmOutcome> {
  const isPoisoned = name.startsWith("poisoned");
  let ids = 0;
  let time = 0;
  await using built = await buildMemory(join(directory, `${stream.seed}-${ARMS.indexOf(name)}.db`), {
    clock: () => time++,
    newId: () => `m${ids++}`,
  });
  const wrong = new Set<string>();
  for (const cause of isPoisoned ? stream.causes : []) {
    const [form] = cause.forms;
    if (!form) continue;
    const [kept] = await built.memory.keep([lessonOf(form, cause.isPoisoned ? cause.wrong : cause.right)]);
    if (kept && cause.isPoisoned) wrong.add(kept.record.id);
  }
  const outcome = await work(stream, {
    memory: name === "no memory" ? null : built.memory,
    learns: name === "memory",
    measures: name === "memory" || name === "poisoned",
    assumed,
  });
  return { ...outcome, wrong };
}
