import fc from "fast-check";
import { expect, test } from "vitest";
import type { RawAnswer } from "./provider-model.ts";
import { readTextCalls, toolsAsText } from "./text-tools.ts";

const said = (text: string): RawAnswer => ({ text, toolCalls: [], finish: "stop", usage: null });
const read = (text: string) => readTextCalls(said(text), "call-3");

test("a text without blocks is an answer, fences of other kinds included", () => {
  const answer = said("Done.\n```python\nprint(1)\n```");
  expect(readTextCalls(answer, "x")).toBe(answer);
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
