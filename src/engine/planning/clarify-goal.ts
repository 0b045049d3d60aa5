import { briefReprompter } from "../../agents/briefings/reprompter.ts";
import type { ProjectView } from "../../agents/briefings/sections.ts";
import { RepromptResult } from "../../agents/finish.ts";
import { fail } from "../../domain/failure.ts";
import { approve } from "../hands/approve.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";
import { type Survey, surveyedLanguage } from "./survey.ts";

const REPROMPTER_TURNS = 6;

/** A vague goal, completed with the person's answers. */
export interface ClarifiedGoal {
  /** The text for the planner. */
  text: string;
  /** Only the person's own words. The rest of `text` is an assumption. */
  said: string;
}

/**
 * The reprompter restates the goal. Its questions go to the person, if one can be asked. Without an answer its
 * assumptions stand, and the plan shows them. A goal that contradicts itself ends here, before it costs anything.
 */
export async function clarifyGoal(run: Run, survey: Survey, project: ProjectView, why: string): Promise<ClarifiedGoal> {
  const { goal, attachments } = run.request;
  const ask = async (name: string, answers: string[], draft?: string): Promise<RepromptResult> => {
    const conclusion = await run.converse("reprompter", {
      name,
      briefing: [briefReprompter({ goal, why, project, answers, draft, attachments })],
      result: RepromptResult,
      workbench: readingBench(run, surveyedLanguage(run, survey), survey.tree),
      maxTurns: REPROMPTER_TURNS,
    });
    if (conclusion.ended === "finished") return conclusion.result;
    throw fail("invalid-input", "goal.vague", `the goal is too vague to be made precise: ${why}`);
  };
  let restated = await ask("clarify", []);
  refuseContradiction(restated);
  const answered: string[] = [];
  const asked: { question: string; assumption: string; answer: string }[] = [];
  for (const { question, assumption } of restated.questions) {
    const answer = await approve(run, {
      name: "question",
      input: { question, assumption },
      ask: async () => ({ subject: "question", question, detail: `Without an answer: ${assumption}` }),
    });
    const said = answer.granted ? answer.reason.trim() : "";
    asked.push({ question, assumption, answer: said });
    if (said !== "") answered.push(`${question} ${said}`);
  }
  if (answered.length > 0) {
    const all = asked.map(
      ({ question, assumption, answer }) => `${question} ${answer || `(no answer: ${assumption})`}`,
    );
    restated = await ask("clarify-again", all, restated.goal);
    refuseContradiction(restated);
  }
  const clarified = { text: restated.goal, said: [goal, ...answered].join("\n") };
  await run.note(
    { kind: "decision", name: "goal-clarified", input: { ...clarified, asked } },
    { type: "goal-clarified", goal: restated.goal, asked },
  );
  return clarified;
}

function refuseContradiction({ contradiction }: RepromptResult): void {
  if (contradiction === undefined || contradiction.trim() === "") return;
  throw fail("invalid-input", "goal.contradiction", `the goal cannot be reached as it is said: ${contradiction}`);
}
