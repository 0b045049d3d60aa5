import { expect, test } from "vitest";
import type { Message, ToolSchema } from "../../domain/message.ts";
import { sharedPrefix } from "./shared-prefix.ts";
import { tokensOfMessages, tokensOfTools } from "./tokens.ts";

const tools: ToolSchema[] = [{ name: "search", description: "Find text.", parameters: {} }];
const system: Message = { role: "system", content: "You are the coder." };
const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const said: Message = { role: "assistant", content: "done", toolCalls: [] };

test("the next turn of a conversation shares everything that was sent before it", () => {
  const first = { tools, messages: [system, user("the goal")] };
  const next = { tools, messages: [...first.messages, said] };
  expect(sharedPrefix(first, next)).toBe(tokensOfTools(tools) + tokensOfMessages(first.messages));
});

test("another briefing is shared up to where it differs", () => {
  const common = "x".repeat(300);
  const shared = sharedPrefix(
    { tools, messages: [system, user(`${common}one`)] },
    { tools, messages: [system, user(`${common}two`)] },
  );
  expect(shared).toBe(tokensOfTools(tools) + tokensOfMessages([system]) + 100);
});

test("with other tools nothing is shared: they come first", () => {
  expect(sharedPrefix({ tools: [], messages: [system] }, { tools, messages: [system] })).toBe(0);
});
