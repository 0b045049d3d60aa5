import type { z } from "zod";
import { type Conclusion, converse } from "../../agents/converse.ts";
import type { Message, Role, ToolSchema } from "../../domain/message.ts";
import { type Difficulty, rungOf } from "../../domain/plan/difficulty.ts";
import { windowOf } from "../../domain/settings/window.ts";
import type { Strand } from "../../journal/strand.ts";
import type { EngineParts } from "./parts.ts";
import type { Workbench } from "./workbench.ts";

export interface Question<Result> {
  strand: Strand;
  name: string;
  role: Role;
  briefing: Message[];
  result: z.ZodType<Result>;
  workbench: Workbench;
  maxTurns: number;
  /** What `finish` takes here, where that is not what the role's usual work ends with. */
  finish?: ToolSchema["parameters"];
  /** How hard it looks and how often it failed, where that decides who is asked. */
  attempt?: { difficulty: Difficulty; failures: number };
  check?(result: Result): Promise<string | undefined>;
  onText?(text: string, turn: number): Result | undefined;
  /** Counts tokens; called for recorded answers too. */
  onTokens?(tokens: number): void;
}

/** Puts a question to a role with the prompt, tools, model parameters and limits that the task froze. */
export function askRole<Result>(parts: EngineParts, question: Question<Result>): Promise<Conclusion<Result>> {
  const { frozen } = parts.journal;
  const { attempt, finish, ...asked } = question;
  const { strand, name, role, workbench } = asked;
  return converse({
    ...asked,
    model: parts.model,
    parameters: frozen.settings.models[role].parameters,
    rung: attempt ? rungOf(frozen.settings.models[role], attempt.difficulty, attempt.failures) : 0,
    prompt: frozen.prompts[role],
    schemas: finish
      ? frozen.tools[role].map((tool) => (tool.name === "finish" ? { ...tool, parameters: finish } : tool))
      : frozen.tools[role],
    window: windowOf(frozen.settings.models[role].models, frozen.settings.windows),
    signal: parts.signal,
    onDelta: parts.onDelta,
    onNotice: parts.onNotice,
    useTool: (use) => workbench.use(strand, name, role, use),
  });
}
