import { isDeepStrictEqual } from "node:util";
import type { Message, ModelRequest } from "../../domain/message.ts";
import { tokensOfMessage, tokensOfText, tokensOfTools } from "./tokens.ts";

type Sent = Pick<ModelRequest, "messages" | "tools">;

/**
 * How many tokens of a request an earlier one began with, in the same order: what a provider could read from its cache.
 * Tools come first, then the messages; a text may be shared in part.
 */
export function sharedPrefix(earlier: Sent, now: Sent): number {
  if (!isDeepStrictEqual(earlier.tools, now.tools)) return 0;
  let tokens = tokensOfTools(now.tools);
  for (const [at, message] of now.messages.entries()) {
    const before = earlier.messages[at];
    if (!before || !isDeepStrictEqual(before, message)) return tokens + (before ? sharedStart(before, message) : 0);
    tokens += tokensOfMessage(message);
  }
  return tokens;
}

function sharedStart(before: Message, now: Message): number {
  const [one, other] = [textOf(before), textOf(now)];
  if (before.role !== now.role) return 0;
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return tokensOfText(one.slice(0, length));
}

function textOf(message: Message): string {
  if (message.role !== "user") return message.content;
  return message.content.map((part) => (part.type === "text" ? part.text : part.data)).join("\n\n");
}
