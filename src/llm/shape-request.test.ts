import { describe, expect, test } from "vitest";
import { serveModel } from "../../test/serve-model.ts";

describe("a model that cannot call tools", () => {
  const provider = { toolCalling: false, structuredOutput: false };

  test("is told of them in words and calls them in blocks", async () => {
    await using model = await serveModel(
      () => ({
        text: 'I look.\n```tool\n{"name": "read_file", "arguments": {"path": "a.py"}}\n```\n',
      }),
      { provider },
    );
    const tools = [{ name: "read_file", description: "Reads a file.", parameters: { type: "object" } }];
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

  test("is asked for JSON in words", async () => {
    await using model = await serveModel(() => ({ text: "{}" }), { provider });
    await model.ask({ output: { name: "plan", schema: { type: "object", required: ["todos"] } } });
    expect(model.server.requests[0]?.body).not.toHaveProperty("response_format");
    expect(model.server.requests[0]?.system).toContain('"required":["todos"]');
  });
});
