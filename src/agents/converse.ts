import { z } from "zod";
import { fail } from "../domain/failure.ts";
import {
  type Message,
  ModelAnswer,
  type ModelParameters,
  type ModelRequest,
  type Role,
  type ToolCall,
  type ToolSchema,
} from "../domain/message.ts";
import { summaryStep } from "../domain/task/step-path.ts";
import type { Strand } from "../journal/strand.ts";
import type { Model } from "../llm/model.ts";
import { type ContextLimits, fitContext } from "./context/fit-context.ts";
import { oldTurns, startOf, type Talk, withMessages } from "./context/summarise-turns.ts";
import { roles } from "./roles.ts";
import type { AnyTool } from "./tools/tool.ts";

export interface Conversation<Result> {
  strand: Strand;
  /** Names the steps: `iteration:1/code`. */
  name: string;
  role: Role;
  model: Model;
  parameters: ModelParameters;
  /** The index of the wanted model on the role's ladder, from 0. */
  rung?: number;
  /** The prompt that the task froze. */
  prompt: string;
  schemas: ToolSchema[];
  briefing: Message[];
  maxTurns: number;
  /** The model's limit of tokens, input and output together. */
  window: number;
  /** The same of the models that may write a summary of old turns; absent: none is asked for. */
  summaryWindow?: number | undefined;
  signal: AbortSignal;
  result: z.ZodType<Result>;
  /** Runs one tool call as a step and returns the text for the model. */
  useTool(call: ToolUse): Promise<string>;
  /** Returns why this result cannot be accepted, so that the model can correct it. */
  check?(result: Result): Promise<string | undefined>;
  /** Decides whether a plain text without a tool call ends the work. Undefined: it does not. */
  onText?(text: string, turn: number): Result | undefined;
  /** Decides after the tools of a turn whether the work is done by them. Undefined: it is not. */
  onTools?(said: string): Result | undefined;
  /** Counts tokens. It is called for recorded answers, too. */
  onTokens?(tokens: number): void;
  onDelta?: (text: string) => void;
  onHeard?: (model: string, patienceMs: number) => void;
  /** Shows the person a notice at once. */
  onNotice?: (text: string) => void;
}

export interface ToolUse {
  tool: AnyTool;
  subject: string;
  arguments: unknown;
  prepared: Exclude<ReturnType<AnyTool["prepare"]>, { problem: string }>;
}

export type Conclusion<Result> = { ended: "finished"; result: Result } | { ended: "turns" };

const MISTAKES = 3;

/** Model turn → tools → model turn, until the role finishes. Each model call and each tool call is a step. */
export async function converse<Result>(conversation: Conversation<Result>): Promise<Conclusion<Result>> {
  const { role, schemas, parameters } = conversation;
  const opening: Message[] = [{ role: "system", content: conversation.prompt }, ...conversation.briefing];
  let talk: Talk = withMessages({ messages: [], whole: [], kept: opening.length }, opening);
  let mistakes = 0;
  for (let turn = 1; turn <= conversation.maxTurns; turn += 1) {
    const limits = { window: conversation.window, output: parameters.maxOutputTokens };
    talk = await summarised(conversation, talk, limits);
    talk = { ...talk, messages: fitContext(talk.messages, schemas, startOf(talk), limits) };
    const { rung = 0 } = conversation;
    const request = { role, messages: [...talk.messages], tools: schemas, parameters, ...(rung > 0 && { rung }) };
    const answer = await askModel(conversation, conversation.name, request);
    talk = withMessages(talk, [{ role: "assistant", content: answer.text, toolCalls: answer.toolCalls }]);
    const outcome = await takeTurn(conversation, answer, turn);
    if (outcome.finished) return { ended: "finished", result: outcome.result };
    talk = withMessages(talk, outcome.replies);
    mistakes = outcome.mistake ? mistakes + 1 : 0;
    if (mistakes >= MISTAKES) throw invalidOutput(role, answer.model, outcome.replies);
  }
  return { ended: "turns" };
}

/** Where leaving out tool output does not make room, a small model shortens the old turns first. */
async function summarised<Result>(
  conversation: Conversation<Result>,
  talk: Talk,
  limits: ContextLimits,
): Promise<Talk> {
  const { role, schemas, summaryWindow } = conversation;
  const old = summaryWindow ? oldTurns(talk, role, schemas, { ...limits, summaryWindow }) : null;
  if (!old) return talk;
  const { text } = await askModel(conversation, summaryStep(conversation.name), old.request);
  return old.replacedBy(text);
}

/** One model call, as a step. */
async function askModel<Result>(
  { strand, role, model, signal, onDelta, onHeard, onNotice, onTokens }: Conversation<Result>,
  name: string,
  request: ModelRequest,
): Promise<ModelAnswer> {
  const answer = await strand.step(
    { kind: "model", name, input: request, output: ModelAnswer },
    async ({ path, emit }) => {
      const start = performance.now();
      const answer = await model.complete(request, {
        path,
        signal,
        ...(onDelta && !request.purpose && { onDelta }),
        ...(onHeard && { onHeard }),
        onNotice: (message) => {
          onNotice?.(message);
          emit({ type: "warning-raised", code: "model.retry", message });
        },
      });
      const durationMs = performance.now() - start;
      const { model: answered, attempts, usage } = answer;
      emit({ type: "model-called", role, model: answered, attempts, usage, durationMs });
      return answer;
    },
  );
  onTokens?.(answer.usage.inputTokens + answer.usage.outputTokens);
  return answer;
}

type TurnOutcome<Result> =
  | { finished: true; result: Result }
  | { finished: false; replies: Message[]; mistake: boolean };

async function takeTurn<Result>(
  conversation: Conversation<Result>,
  answer: ModelAnswer,
  turn: number,
): Promise<TurnOutcome<Result>> {
  if (answer.toolCalls.length === 0) {
    const result = answer.finish === "length" ? undefined : conversation.onText?.(answer.text, turn);
    if (result !== undefined) return { finished: true, result };
    const advice =
      answer.finish === "length"
        ? "Your answer was cut off at the output limit. Go on in smaller pieces, by calling a tool."
        : "Call a tool; `finish` ends your work.";
    return { finished: false, replies: [{ role: "user", content: [{ type: "text", text: advice }] }], mistake: true };
  }
  const replies: Message[] = [];
  let mistake = false;
  for (const call of answer.toolCalls) {
    const reply = (content: string) => replies.push({ role: "tool", callId: call.id, name: call.name, content });
    const parsed = parseArguments(call);
    if ("problem" in parsed) {
      reply(parsed.problem);
      mistake = true;
    } else if (call.name === "finish") {
      const result = conversation.result.safeParse(parsed.arguments);
      const problem = result.success ? await conversation.check?.(result.data) : z.prettifyError(result.error);
      if (result.success && problem === undefined) return { finished: true, result: result.data };
      reply(`not accepted: ${problem}`);
      mistake = true;
    } else {
      const use = findTool(conversation.role, call.name, parsed.arguments);
      if ("problem" in use) mistake = true;
      reply("problem" in use ? use.problem : await conversation.useTool(use));
    }
  }
  const done = mistake ? undefined : conversation.onTools?.(answer.text);
  return done === undefined ? { finished: false, replies, mistake } : { finished: true, result: done };
}

function parseArguments(call: ToolCall): { problem: string } | { arguments: unknown } {
  try {
    return { arguments: JSON.parse(call.arguments === "" ? "{}" : call.arguments) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { problem: `the arguments of ${call.name} are not valid JSON (${why}); send the call again` };
  }
}

function findTool(role: Role, name: string, args: unknown): { problem: string } | ToolUse {
  const { tools } = roles[role];
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) {
    const names = [...tools.map((candidate) => candidate.name), "finish"];
    return { problem: `there is no tool ${name}; the tools are ${names.join(", ")}` };
  }
  const prepared = tool.prepare(args);
  if ("problem" in prepared) return { problem: `wrong arguments for ${name}:\n${prepared.problem}` };
  return { tool, subject: prepared.subject, arguments: args, prepared };
}

function invalidOutput(role: Role, model: string, replies: Message[]) {
  const last = replies.at(-1);
  const why = last?.role === "tool" ? last.content : "no tool was called";
  return fail(
    "invalid-input",
    "model.invalid-output",
    `${model} as ${role} gave ${MISTAKES} unusable answers in a row; try another model (last problem: ${why.slice(0, 300)})`,
  );
}
