import type { Message, ToolSchema } from "../../domain/message.ts";

/*
 * Tokens are estimated, because only the provider knows a model's tokenizer. One token per three plain characters, and
 * one per other character, is a safe estimate for code and prose in every tokenizer that was compared.
 */

const CHARACTERS = 3;
/** The overhead of each message. */
const FRAME = 8;
/** What providers count for an image of usual size. */
const IMAGE = 2000;

export function tokensOfText(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) others += 1;
  return Math.ceil((text.length - others) / CHARACTERS) + others;
}

export function tokensOfMessage(message: Message): number {
  switch (message.role) {
    case "system":
    case "tool":
      return FRAME + tokensOfText(message.content);
    case "assistant": {
      const calls = message.toolCalls.map((call) => FRAME + tokensOfText(call.name) + tokensOfText(call.arguments));
      return FRAME + tokensOfText(message.content) + sum(calls);
    }
    case "user":
      return (
        FRAME +
        sum(
          message.content.map((part) => {
            if (part.type === "text") return tokensOfText(part.text);
            return part.mediaType.startsWith("image/") ? IMAGE : tokensOfText(part.data);
          }),
        )
      );
  }
}

export const tokensOfMessages = (messages: readonly Message[]): number => sum(messages.map(tokensOfMessage));

export const tokensOfTools = (tools: readonly ToolSchema[]): number =>
  sum(tools.map((tool) => FRAME + tokensOfText(JSON.stringify(tool))));

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
