import { z } from "zod";
import { ApprovalAnswer } from "../domain/approval.ts";
import { nameOf } from "../domain/task/step-path.ts";
import { unpack } from "../journal/pack.ts";
import type { Recording } from "../journal/recording.ts";
import type { RunOptions } from "./run-options.ts";

const Question = z.object({ question: z.string() });
const NOBODY = { granted: false, by: "nobody there", reason: "nobody is there to be asked, and no policy allows it" };

/**
 * Answers questions as the person did in the recording. Other questions go to `ask`, because a file must not allow
 * anything.
 */
export async function askAsRecorded(recording: Recording, ask: RunOptions["ask"]): Promise<Pick<RunOptions, "ask">> {
  const answers = await answersOf(recording);
  if (answers.size === 0) return ask ? { ask } : {};
  return {
    ask: async (request, signal) => {
      const said = request.subject === "question" ? answers.get(request.question) : undefined;
      if (!said) return ask ? ask(request, signal) : NOBODY;
      const { granted, by, reason } = said;
      return { granted, by, reason };
    },
  };
}

async function answersOf(recording: Recording): Promise<Map<string, ApprovalAnswer>> {
  const answers = new Map<string, ApprovalAnswer>();
  const read = (hash: string) => unpack(hash, (blob) => recording.blob(blob));
  for (const name of await recording.strands()) {
    for (const step of (await recording.strand(name)).steps) {
      if (step.kind !== "decision" || step.outcome !== "ok" || nameOf(step.path) !== "question") continue;
      const asked = Question.safeParse(await read(step.inputHash));
      const answer = ApprovalAnswer.safeParse(await read(step.outputHash));
      if (asked.success && answer.success) answers.set(asked.data.question, answer.data);
    }
  }
  return answers;
}
