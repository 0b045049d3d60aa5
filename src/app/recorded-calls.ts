import { ModelAnswer } from "../domain/message.ts";
import { unpack } from "../journal/pack.ts";
import type { Recording } from "../journal/recording.ts";
import type { RecordedCall } from "../llm/cassette-model.ts";

/** The model calls of a recording by the path of their step. */
export async function recordedCalls(recording: Recording): Promise<Map<string, RecordedCall>> {
  const calls = new Map<string, RecordedCall>();
  for (const name of await recording.strands()) {
    for (const step of (await recording.strand(name)).steps) {
      if (step.kind !== "model" || step.outcome !== "ok") continue;
      const answer = ModelAnswer.parse(await unpack(step.outputHash, (hash) => recording.blob(hash)));
      calls.set(step.path, { requestHash: step.inputHash, answer });
    }
  }
  return calls;
}
