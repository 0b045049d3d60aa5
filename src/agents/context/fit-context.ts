import { fail } from "../../domain/failure.ts";
import { readJson } from "../../domain/json.ts";
import type { Message, ToolCall, ToolSchema } from "../../domain/message.ts";
import { staleReads } from "./stale-reads.ts";
import { tokensOfMessage, tokensOfMessages, tokensOfTools } from "./tokens.ts";

/*
 * Shortens a conversation that comes near the model's window. It follows fixed rules, so it costs no call and a replay
 * shortens in the same way. The start (the prompt and the briefing: plan, requirements, tests), the model's own words
 * and the last test run stay word for word. Old answers of tools, and texts that were written to files, are replaced by
 * a note. It happens rarely and then thoroughly, because each change of an old turn invalidates the provider's cache.
 * Where that is not enough, old turns may become a summary: summarise-turns.ts.
 */

/** A conversation above the first share of the room is shortened to the second one. */
const FULL = 0.75;
const ROOM_AFTER = 0.45;
/** How many of the last turns are left alone, if possible. */
const RECENT_TURNS = [6, 3, 1];
/** So many of the last turns are never summarised, and so large a share of the room is worth a summary. */
const UNSUMMARISED = 3;
const WORTH = 0.2;
/** A shorter answer or argument of a tool is not worth a note. */
const SHORT = 240;

export interface ContextLimits {
  /** The model's limit of tokens, input and output together. */
  window: number;
  output: number;
}

/**
 * Returns the same messages while there is room, otherwise shorter ones. `kept`: how many messages at the start are the
 * briefing.
 */
export function fitContext(
  messages: readonly Message[],
  tools: readonly ToolSchema[],
  kept: number,
  { window, output }: ContextLimits,
): readonly Message[] {
  const room = roomOf(tools, { window, output });
  if (tokensOfMessages(messages) <= room * FULL) return messages;
  let shorter = shortenByRule(messages, kept, room * ROOM_AFTER, RECENT_TURNS);
  if (tokensOfMessages(shorter) > room) shorter = clipLargest(shorter, kept, room);
  const needed = tokensOfMessages(shorter);
  if (needed <= room) return shorter;
  throw fail(
    "invalid-input",
    "context.too-large",
    `the request has about ${needed} tokens and the model takes ${Math.max(0, Math.floor(room))}: say the goal in fewer words, attach less, or choose a model with a larger window (windows in the config)`,
  );
}

/**
 * The index at which the turns begin that stay, if leaving out tool output alone does not make room; null while it does, or
 * while there is too little to summarise.
 */
export function endOfOldTurns(
  messages: readonly Message[],
  tools: readonly ToolSchema[],
  kept: number,
  limits: ContextLimits,
): number | null {
  const room = roomOf(tools, limits);
  if (tokensOfMessages(messages) <= room * FULL) return null;
  const target = room * ROOM_AFTER;
  const recent = RECENT_TURNS.filter((turns) => turns >= UNSUMMARISED);
  const shorter = shortenByRule(messages, kept, target, recent);
  if (tokensOfMessages(shorter) <= target) return null;
  const end = startOfTurn(messages, UNSUMMARISED);
  return end > kept && tokensOfMessages(shorter.slice(kept, end)) >= room * WORTH ? end : null;
}

/** What is left for the messages. */
export const roomOf = (tools: readonly ToolSchema[], { window, output }: ContextLimits): number =>
  window - output - tokensOfTools(tools);

function shortenByRule(messages: readonly Message[], kept: number, target: number, recent: number[]) {
  let shorter: readonly Message[] = staleReads(messages, kept);
  for (const turns of recent) {
    if (tokensOfMessages(shorter) <= target) break;
    shorter = shortenOld(shorter, kept, startOfTurn(shorter, turns), target);
  }
  return shorter;
}

/** The index at which the last `turns` turns of the model begin. */
function startOfTurn(messages: readonly Message[], turns: number): number {
  let left = turns;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    if (messages[at]?.role === "assistant") left -= 1;
    if (left === 0) return at;
  }
  return 0;
}

/** Shortens the oldest messages first, and only as many as needed. */
function shortenOld(messages: readonly Message[], kept: number, end: number, target: number): Message[] {
  const lastTests = messages.findLastIndex((message) => message.role === "tool" && message.name === "run_tests");
  let tokens = tokensOfMessages(messages);
  return messages.map((message, at) => {
    if (at < kept || at >= end || at === lastTests || tokens <= target) return message;
    const shorter = shorten(message);
    tokens -= tokensOfMessage(message) - tokensOfMessage(shorter);
    return shorter;
  });
}

function shorten(message: Message): Message {
  if (message.role === "tool" && message.content.length > SHORT) {
    const [first = ""] = message.content.split("\n", 1);
    const note = `(${message.content.length} characters, left out to save room; call the tool again if you need them)`;
    return Object.freeze({ ...message, content: `${first.slice(0, 120)}\n${note}` });
  }
  if (message.role === "assistant" && message.toolCalls.some(({ arguments: text }) => text.length > SHORT)) {
    return Object.freeze({ ...message, toolCalls: message.toolCalls.map(shortenCall) });
  }
  return message;
}

/** The text that a call wrote is still in the file. */
function shortenCall(call: ToolCall): ToolCall {
  if (call.arguments.length <= SHORT) return call;
  const fields: unknown = readJson(call.arguments);
  if (typeof fields !== "object" || fields === null) return { ...call, arguments: "{}" };
  const short = Object.entries(fields).map(([key, value]) =>
    typeof value === "string" && value.length > SHORT
      ? [key, `(${value.length} characters, left out to save room)`]
      : [key, value],
  );
  const text = JSON.stringify(Object.fromEntries(short));
  return { ...call, arguments: text.length < call.arguments.length ? text : call.arguments };
}

/** The last resort: cuts the largest answers of tools, old or new, until everything fits. */
function clipLargest(messages: readonly Message[], kept: number, room: number): Message[] {
  const shorter = [...messages];
  for (;;) {
    const over = tokensOfMessages(shorter) - room;
    const at = largestAnswer(shorter, kept);
    const message = shorter[at];
    if (over <= 0 || message?.role !== "tool" || message.content.length <= SHORT) return shorter;
    const left = Math.max(SHORT / 2, message.content.length - over * 3 - SHORT);
    const half = Math.floor(left / 2);
    const cut = message.content.length - 2 * half;
    const content = `${message.content.slice(0, half)}\n… ${cut} characters left out …\n${message.content.slice(-half)}`;
    if (content.length >= message.content.length) return shorter;
    shorter[at] = Object.freeze({ ...message, content });
  }
}

function largestAnswer(messages: readonly Message[], kept: number): number {
  let largest = -1;
  let size = 0;
  for (const [at, message] of messages.entries()) {
    if (at < kept || message.role !== "tool" || message.content.length <= size) continue;
    largest = at;
    size = message.content.length;
  }
  return largest;
}
