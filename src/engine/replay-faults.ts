import { delivererOf, TASK_STRAND } from "../domain/task/step-path.ts";
import type { Recording } from "../journal/recording.ts";
import type { EngineParts } from "./hands/parts.ts";
import { replayTask } from "./replay-task.ts";

/**
 * What a replay shows of a recording whose hashes all hold: whether each step was asked what follows from the steps
 * before it, and whether the task comes to every strand that is in it. An output that was edited, with all hashes made
 * anew, is found where a later step rests on it.
 */
export async function replayFaults(recording: Recording, languages: EngineParts["languages"]): Promise<string[]> {
  const reached = new Set<string>();
  const { task, frozenHash } = recording;
  const watched: Recording = {
    task,
    frozenHash,
    strand: (name) => {
      reached.add(name);
      return recording.strand(name);
    },
    strands: () => recording.strands(),
    blob: (hash) => recording.blob(hash),
  };
  try {
    const replayed = await replayTask(watched, languages);
    if (replayed.ended === "diverged") return [`it does not replay: ${replayed.divergence.message}`];
    return replayed.ended === "unfinished" ? [] : await strayStrands(recording, reached);
  } catch (error) {
    // Somebody else may have written it: whatever goes wrong with it is its fault.
    return [`it does not replay: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Work that was begun anew after an upgrade leaves strands behind; otherwise the task comes to each of them. */
async function strayStrands(recording: Recording, reached: ReadonlySet<string>): Promise<string[]> {
  const names = await recording.strands();
  const strands = await Promise.all(names.map(async (name) => ({ name, ...(await recording.strand(name)) })));
  if (strands.some(({ generation }) => generation > 0)) return [];
  return strands
    .filter(({ name }) => !reached.has(name) && (name === TASK_STRAND || delivererOf(name) === null))
    .map(({ name }) => `strand ${name}: the task never comes to it`);
}
