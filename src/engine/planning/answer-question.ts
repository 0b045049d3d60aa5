import { z } from "zod";
import { briefQuestion } from "../../agents/briefings/question.ts";
import { AnswerResult } from "../../agents/finish.ts";
import { parametersOf } from "../../agents/tools/tool.ts";
import { fail } from "../../domain/failure.ts";
import { ToolSchema } from "../../domain/message.ts";
import { ANSWERING } from "../../domain/task/task.ts";
import type { Run } from "../hands/run.ts";
import { Stopped } from "../hands/stop.ts";
import { readingBench } from "../hands/workbench.ts";
import { findPlaces } from "./find-places.ts";
import { projectView, type Survey, surveyedLanguage } from "./survey.ts";

const TURNS = 16;

/**
 * Answers a question about the project with tools that only read, by the planner's model. Whoever reads the answer can look
 * it up: each place is found in the tree before the answer counts, and its line is the one where it was found.
 */
export async function answerQuestion(run: Run, survey: Survey): Promise<never> {
  const { goal, attachments, earlier } = run.request;
  const form = z.lazy(() => ToolSchema.unwrap().shape.parameters);
  const finish = await run.step(
    { kind: "decision", name: "answer-form", input: null, output: form, durable: false },
    async ({ emit }) => {
      emit({ type: "phase-changed", phase: ANSWERING, iteration: 0 });
      return parametersOf(AnswerResult);
    },
  );
  const conclusion = await run.converse<AnswerResult>("planner", {
    name: "question",
    briefing: [briefQuestion(goal, projectView(survey, {}), { attachments, earlier })],
    result: AnswerResult,
    finish,
    workbench: readingBench(run, surveyedLanguage(run, survey), survey.tree),
    maxTurns: TURNS,
    check: async ({ places }) => (await find(run, survey.tree, places)).problem,
  });
  if (conclusion.ended !== "finished") {
    throw fail("invalid-input", "ask.unfinished", `no answer within ${TURNS} turns; ask about less at once`);
  }
  const { answer, places } = conclusion.result;
  const result = { answer, places: (await find(run, survey.tree, places)).found };
  await run.note(
    { kind: "decision", name: "answer", input: { result } },
    { type: "role-answered", role: "planner", result },
  );
  throw new Stopped("answered", "the question is answered");
}

const FoundPlaces = z.object({
  found: z.array(z.object({ path: z.string(), line: z.int(), quote: z.string() })),
  problem: z.string().optional(),
});

function find(run: Run, tree: string, places: AnswerResult["places"]): Promise<z.infer<typeof FoundPlaces>> {
  const input = { tree, places };
  return run.step({ kind: "tool", name: "find-places", input, output: FoundPlaces, durable: false }, async () =>
    findPlaces(places, (path) => run.parts.artifacts.readFile(tree, path)?.toString("utf8") ?? null),
  );
}
