import { join } from "node:path";
import type { Memory } from "../../src/memory/memory.ts";
import { buildMemory } from "../../test/memory-builder.ts";
import { ASSUMED, type Assumed } from "./simulated-model.ts";
import type { Stream } from "./stream.ts";
import { type Asked, lessonOf, type Outcome, work } from "./work.ts";

export const ARMS = ["no memory", "memory", "clean", "poisoned", "poisoned, unmeasured"] as const;
export type ArmName = (typeof ARMS)[number];

export interface ArmOutcome extends Outcome {
  /** The records that were wrong from the start. */
  wrong: Set<string>;
}

/**
 * Works through the stream in one way. A poisoned memory knows a lesson of every cause beforehand, half of them wrong, and
 * learns nothing more: whatever harm goes away, goes away by the effect measure alone. A clean one is the same without
 * what is wrong: as good as the poisoned one could become.
 */
export async function runArm(
  name: ArmName,
  stream: Stream,
  directory: string,
  assumed: Assumed = ASSUMED,
): Promise<ArmOutcome> {
  const knowsBefore = name === "clean" || name.startsWith("poisoned");
  let ids = 0;
  let time = 0;
  await using built = await buildMemory(join(directory, `${stream.seed}-${ARMS.indexOf(name)}.db`), {
    clock: () => time++,
    newId: () => `m${ids++}`,
  });
  const wrong = new Set<string>();
  for (const cause of knowsBefore ? stream.causes : []) {
    const [form] = cause.forms;
    // The id goes with the cause in both, so that both draw the same controls.
    ids = stream.causes.indexOf(cause);
    if (!form || (name === "clean" && cause.isPoisoned)) continue;
    const [kept] = await built.memory.keep([lessonOf(form, cause.isPoisoned ? cause.wrong : cause.right)]);
    if (kept && cause.isPoisoned) wrong.add(kept.record.id);
  }
  const outcome = await work(stream, {
    memory: name === "no memory" ? null : knowsBefore ? asked(built.memory) : built.memory,
    learns: name === "memory",
    measures: name !== "no memory" && name !== "poisoned, unmeasured",
    assumed,
  });
  return { ...outcome, wrong };
}

/** What does not learn answers alike until something is taken out of use: it is asked once for each question. */
function asked(memory: Memory): Asked {
  const answers = new Map<string, ReturnType<Memory["find"]>>();
  return {
    find: (sought) => {
      const key = JSON.stringify(sought);
      const answer = answers.get(key) ?? memory.find(sought);
      answers.set(key, answer);
      return answer;
    },
    setStatus: (id, status) => {
      answers.clear();
      return memory.setStatus(id, status);
    },
    keep: (...given) => memory.keep(...given),
  };
}
