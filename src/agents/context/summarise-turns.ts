import type { Message, ModelRequest, ToolSchema } from "../../domain/message.ts";
import { type ContextLimits, endOfOldTurns, roomOf } from "./fit-context.ts";
import { keptWords } from "./kept-words.ts";
import { briefSummary, summaryMessage } from "./summary-message.ts";

/*
 * Where leaving out tool output does not make room, the old turns of a conversation become one message: what is kept word for
 * word, found by rule, and a summary of the rest by a small model. The prompt and the briefing (goal, plan, requirements,
 * tests) stand before it untouched. The summary is a step like any model call, so a replay makes the same message.
 */

/** A conversation under way. */
export interface Talk {
  /** What is sent: prompt, briefing, the summary if there is one, and the turns since. */
  messages: readonly Message[];
  /** All that was said, nothing left out. */
  whole: readonly Message[];
  /** How many messages at the start are prompt and briefing. */
  kept: number;
  /** What a model wrote about the turns that are gone, and how many messages of `whole` those are. */
  summary?: { text: string; messages: number };
}

/** The summary and the test run may each take so large a share of the room, and what was said twice as much. */
const SHARE = 0.1;
const SUMMARY_TOKENS = 4000;

/** What is sent at the start of a conversation. */
export const startOf = (talk: Talk): number => talk.kept + (talk.summary ? 1 : 0);

export const withMessages = (talk: Talk, messages: Message[]): Talk => {
  const added = messages.map((message) => Object.freeze(message));
  return { ...talk, messages: [...talk.messages, ...added], whole: [...talk.whole, ...added] };
};

/** The question for a summary of what must go, and how the conversation looks with the answer. Null: nothing must go. */
export function oldTurns(
  talk: Talk,
  role: ModelRequest["role"],
  tools: readonly ToolSchema[],
  limits: ContextLimits & { summaryWindow: number },
): { request: ModelRequest; replacedBy(text: string): Talk } | null {
  const end = endOfOldTurns(talk.messages, tools, startOf(talk), limits);
  if (end === null) return null;
  const { whole, kept, summary } = talk;
  const upTo = whole.length - (talk.messages.length - end);
  const share = Math.floor(roomOf(tools, limits) * SHARE);
  const maxOutputTokens = Math.min(SUMMARY_TOKENS, limits.output);
  const messages = briefSummary({
    briefing: whole.slice(1, kept),
    before: summary?.text ?? "",
    turns: whole.slice(summary?.messages ?? kept, upTo),
    tokens: limits.summaryWindow - maxOutputTokens,
  });
  return {
    request: { role, messages, tools: [], parameters: { maxOutputTokens }, purpose: "summary" },
    replacedBy: (text) => {
      const words = keptWords(whole.slice(kept, upTo), share);
      const message = summaryMessage(words, text.slice(0, share * 3));
      return {
        ...talk,
        messages: [...talk.messages.slice(0, kept), Object.freeze(message), ...talk.messages.slice(end)],
        summary: { text, messages: upTo },
      };
    },
  };
}
