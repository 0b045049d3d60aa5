import { z } from "zod";
import { QUESTION_PROMPT } from "../agents/briefings/question.ts";
import type { Configuration } from "../config/load-config.ts";
import { packageRoot } from "../config/package-root.ts";
import { readPrompts } from "../config/prompts.ts";
import type { Role } from "../domain/message.ts";
import type { Settings } from "../domain/settings/settings.ts";
import type { TaskRequest } from "../domain/task/task.ts";
import type { Followed } from "./go-on-from.ts";
import { resolveSettings } from "./resolve-settings.ts";
import type { RunPolicy } from "./run-options.ts";

/** What a task that only answers says in its event `role-answered`. */
export const Answer = z.object({
  answer: z.string(),
  places: z.array(z.object({ path: z.string(), line: z.int(), quote: z.string() })),
});
export type Answer = z.infer<typeof Answer>;

/** Enough for a look around in a large project; a goal takes several times as much. */
export const USUAL_QUESTION_TOKENS = 100_000;
const LONGEST_ANSWER = 4_000;

/** Nothing is allowed: nothing but reading is done. */
export const QUESTION_POLICY: RunPolicy = { subjects: [], words: "ask", wait: false, findings: false };

interface WantedQuestion {
  question: string;
  directory: string;
  /** What the question follows on, and the models it is put to. */
  past?: Partial<Followed> | null;
}

interface PreparedQuestion {
  request: TaskRequest;
  settings: Settings;
  prompts: Record<Role, string>;
}

/** What a question about the code of a directory is started with. */
export function prepareQuestion(
  config: Configuration,
  { question, directory, past }: WantedQuestion,
): PreparedQuestion {
  const { startTree, earlier, models } = past ?? {};
  return {
    request: {
      goal: question,
      directory,
      attachments: [],
      apply: false,
      question: true,
      ...(startTree && { startTree }),
      ...(earlier && { earlier }),
    },
    settings: forAnswer(models ? { ...config.settings, ...models } : resolveSettings(config)),
    prompts: { ...readPrompts(packageRoot(), []), planner: QUESTION_PROMPT },
  };
}

/** An answer is short, so that little has to be reserved for it. */
function forAnswer(settings: Settings): Settings {
  const { planner } = settings.models;
  const maxOutputTokens = Math.min(planner.parameters.maxOutputTokens, LONGEST_ANSWER);
  const short = { ...planner, parameters: { ...planner.parameters, maxOutputTokens } };
  return { ...settings, models: { ...settings.models, planner: short } };
}
