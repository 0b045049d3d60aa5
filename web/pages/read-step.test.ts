import { expect, test } from "vitest";
import { readAnswer, readConversation } from "./read-step.ts";

test("a conversation is read message by message, with its tool calls and files", () => {
  const input = {
    role: "coder",
    messages: [
      { role: "system", content: "You write code." },
      {
        role: "user",
        content: [
          { type: "text", text: "add" },
          { type: "file", name: "a.png" },
        ],
      },
      {
        role: "assistant",
        content: "",
        toolCalls: [{ name: "create_file", arguments: '{"path":"a.py","content":"x\\ny"}' }],
      },
      { role: "tool", name: "create_file", content: "done" },
    ],
  };
  expect(readConversation(input)).toEqual([
    { by: "system", text: "You write code." },
    { by: "user", text: "add\n(file a.png)" },
    { by: "assistant", text: "create_file\npath: a.py\ncontent:\nx\ny" },
    { by: "tool create_file", text: "done" },
  ]);
});

test("an answer is its words and its calls, also where the arguments are broken", () => {
  const answer = { text: "so", toolCalls: [{ name: "finish", arguments: '{"summary": ' }], finish: "stop" };
  expect(readAnswer(answer)).toEqual([
    { by: "answer", text: "so" },
    { by: "tool call", text: 'finish\n{"summary": ' },
  ]);
});

test("what is no conversation is none", () => {
  for (const other of [null, "x", 3, [], { messages: "x" }]) {
    expect(readConversation(other)).toEqual([]);
    expect(readAnswer(other)).toEqual([]);
  }
});
