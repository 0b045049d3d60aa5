import type { Message } from "../src/domain/message.ts";

/** What every conversation of a coder begins with. */
export const OPENING: Message[] = [
  { role: "system", content: "You are the coder." },
  { role: "user", content: [{ type: "text", text: "Goal, plan and tests, word for word" }] },
];

let calls = 0;

/** A tool call and its answer. */
export function turn(name: string, args: object, answer: string, said = ""): Message[] {
  calls += 1;
  const id = `c${calls}`;
  return [
    { role: "assistant", content: said, toolCalls: [{ id, name, arguments: JSON.stringify(args) }] },
    { role: "tool", callId: id, name, content: answer },
  ];
}
