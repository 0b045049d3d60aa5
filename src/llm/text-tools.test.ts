import fc from "fast-check";
import { expect, test } from "vitest";
import { serveModel } from "../../test/serve-model.ts";
import type { Message } from "../domain/message.ts";
import type { RawAnswer } from "./provider-model.ts";
import { readTextCalls, toolsAsText } from "./text-tools.ts";

const said = (text: string): RawAnswer => ({ text, toolCalls: [], finish: "stop", usage: null });
const turn: Message = { role: "user", content: [{ type: "text", text: "Go on." }] };
const tools = [{ name: "read_file", description: "Reads a file.", parameters: { type: "object" } }];
const read = (text: string) => readTextCalls(said(text), { tools, messages: [turn, turn, turn] });

test("a model that cannot call tools is told of them in words and calls them in blocks", async () => {
  await using model = await serveModel(
    () => ({
      text: 'I look.\n```tool\n{"name": "read_file", "arguments": {"path": "a.py"}}\n```\n',
    }),
    { provider: { toolCalling: false } },
  );
  const answer = await model.ask({ tools });
  expect(answer).toMatchObject({
    text: "I look.",
    finish: "tool-calls",
    toolCalls: [{ name: "read_file", arguments: '{"path":"a.py"}' }],
  });
  expect(model.server.requests[0]?.tools).toEqual([]);
  expect(model.server.requests[0]?.system).toContain("read_file: Reads a file.");
  const [call] = answer.toolCalls;
  if (!call) throw new Error("no call");
  await model.ask({
    tools,
    messages: [
      { role: "user", content: [{ type: "text", text: "Read." }] },
      { role: "assistant", content: "I look.", toolCalls: [call] },
      { role: "tool", callId: call.id, name: "read_file", content: "print(1)" },
    ],
  });
  expect(model.server.requests[1]?.messages.map(({ role, text }) => [role, text])).toEqual([
    ["user", "Read."],
    ["assistant", 'I look.\n```tool\n{"name": "read_file", "arguments": {"path":"a.py"}}\n```'],
    ["user", "Result of read_file:\nprint(1)"],
  ]);
});

test("a text without blocks is an answer, fences of other kinds included", () => {
  const answer = said("Done.\n```python\nprint(1)\n```");
  expect(readTextCalls(answer, { tools, messages: [turn] })).toBe(answer);
});

test("several blocks are several calls, each with an id of its own", () => {
  const { text, toolCalls, finish } = read(
    'First.\n```tool\n{"name": "a", "arguments": {}}\n```\nthen\n```tool\n{"name": "b", "arguments": {"x": "```"}}\n```',
  );
  expect(text).toBe("First.\n\nthen");
  expect(finish).toBe("tool-calls");
  expect(toolCalls).toEqual([
    { id: "call-3-0", name: "a", arguments: "{}" },
    { id: "call-3-1", name: "b", arguments: '{"x":"```"}' },
  ]);
});

test("the tags some models were trained on are understood", () => {
  expect(read('<tool_call>\n{"name": "a", "arguments": {"x": 1}}\n</tool_call>').toolCalls).toMatchObject([
    { name: "a", arguments: '{"x":1}' },
  ]);
});

test("broken JSON and a block without an end reach the tool layer with their name", () => {
  expect(
    read('```tool\n{"name": "create_file", "arguments": {"path": "a", "content": "x\n```').toolCalls,
  ).toMatchObject([{ name: "create_file", arguments: '{"path": "a", "content": "x' }]);
  expect(read('```tool\n{"name": "a", "arguments": {"path": "b').toolCalls).toMatchObject([{ name: "a" }]);
  expect(read("```tool\nls -la\n```").toolCalls).toEqual([{ id: "call-3-0", name: "", arguments: "ls -la" }]);
});

test("a call written into the history is read back as the same call", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z_]{1,20}$/), fc.dictionary(fc.string(), fc.jsonValue()), (name, input) => {
      const call = { id: "call-3-0", name, arguments: JSON.stringify(input) };
      const { messages } = toolsAsText({
        role: "coder",
        tools: [],
        parameters: { maxOutputTokens: 1 },
        messages: [{ role: "assistant", content: "", toolCalls: [call] }],
      });
      const [message] = messages;
      expect(read(message?.role === "assistant" ? message.content : "").toolCalls).toEqual([call]);
    }),
  );
});
