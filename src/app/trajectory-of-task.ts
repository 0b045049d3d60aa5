import { ModelAnswer, ModelRequest } from "../domain/message.ts";
import { isTaskStep } from "../domain/task/step-path.ts";
import { TaskOutcome } from "../domain/task/task.ts";
import { type RecordedCall, type Trajectory, trajectoryOf } from "../domain/task/trajectory.ts";
import { newestSteps } from "../journal/fork.ts";
import { readFrozen } from "../journal/journal.ts";
import { unpack } from "../journal/pack.ts";
import type { Recording } from "../journal/recording.ts";

/** A task as other tools read it, from its journal alone: every call of a model with what it was shown and answered. */
export async function trajectoryOfTask(recording: Recording, version: string): Promise<Trajectory> {
  const load = (hash: string) => recording.blob(hash);
  const steps = (await newestSteps(recording)).filter(({ outcome }) => outcome === "ok");
  const calls: RecordedCall[] = [];
  for (const { path, kind, inputHash, outputHash, startedAt, endedAt } of steps) {
    if (kind !== "model") continue;
    const request = ModelRequest.parse(await unpack(inputHash, load));
    const answer = ModelAnswer.parse(await unpack(outputHash, load));
    calls.push({ path, request, answer, startedAt, endedAt });
  }
  const settled = steps.findLast(({ path }) => isTaskStep(path, "settle"));
  const { request } = await readFrozen(recording);
  return trajectoryOf({
    task: recording.task,
    version,
    goal: request.goal,
    startedAt: steps[0]?.startedAt ?? 0,
    outcome: settled ? TaskOutcome.parse(await unpack(settled.outputHash, load)) : null,
    calls,
  });
}
