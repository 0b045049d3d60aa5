import { briefAlone } from "../../agents/briefings/alone.ts";
import { roles } from "../../agents/roles.ts";
import { fail } from "../../domain/failure.ts";
import { plainJson } from "../../domain/json.ts";
import type { Role } from "../../domain/message.ts";
import type { Run } from "../hands/run.ts";
import { Stopped } from "../hands/stop.ts";
import { readingBench } from "../hands/workbench.ts";
import { projectView, type Survey, surveyedLanguage } from "./survey.ts";

const TURNS = 12;

/**
 * Asks one role alone, with its own prompt, tools and form of answer. What it does to the tree is thrown away. Nothing is
 * built, so there is nothing to prove: the task stops when it has answered.
 */
export async function askRole(run: Run, survey: Survey, role: Role): Promise<never> {
  const { goal, attachments } = run.request;
  const conclusion = await run.converse<unknown>(role, {
    name: "ask",
    briefing: [briefAlone(goal, projectView(survey, {}), attachments)],
    result: roles[role].result,
    workbench: readingBench(run, surveyedLanguage(run, survey), survey.tree),
    maxTurns: TURNS,
  });
  if (conclusion.ended !== "finished") {
    const message = `the ${role} gave no answer within ${TURNS} turns; say more exactly what it is to do`;
    throw fail("invalid-input", "role.unfinished", message);
  }
  const result = plainJson(conclusion.result);
  await run.note(
    { kind: "decision", name: "answer", input: { role, result } },
    { type: "role-answered", role, result },
  );
  throw new Stopped("answered", `the ${role} has answered`);
}
