import { describe, expect, test } from "vitest";
import { until } from "../../../test/open-test-model.ts";
import { failureOf, serveModel } from "../../../test/serve-model.ts";

describe.each(["openai-compatible", "openai", "anthropic", "google"] as const)("a model of kind %s", (kind) => {
  test("answers with its text, streams it, and counts its tokens", async () => {
    await using model = await serveModel(() => ({ text: "hello world", usage: { input: 50, output: 7, cached: 20 } }), {
      provider: { kind },
    });
    const answer = await model.ask();
    expect(answer).toEqual({
      text: "hello world",
      toolCalls: [],
      finish: "stop",
      model: "local/first",
      attempts: 1,
      usage: { inputTokens: 50, outputTokens: 7, cachedInputTokens: 20, costMicros: null },
    });
    expect(model.deltas.join("")).toBe("hello world");
    expect(model.deltas.length).toBeGreaterThan(1);
    expect(model.server.requests[0]).toMatchObject({
      model: "first",
      system: "You are the coder.",
      messages: [{ role: "user", text: "Say hello." }],
      maxOutputTokens: 100,
    });
  });

  test("calls tools and reads their results", async () => {
    await using model = await serveModel(
      (_, index) =>
        index === 0 ? { toolCalls: [{ name: "read_file", arguments: { path: "a.py" } }] } : { text: "seen" },
      { provider: { kind } },
    );
    const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
    const tools = [{ name: "read_file", description: "Reads a file.", parameters }];
    const answer = await model.ask({ tools });
    expect(answer.finish).toBe("tool-calls");
    expect(answer.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ["read_file", { path: "a.py" }],
    ]);
    const [call] = answer.toolCalls;
    if (!call) throw new Error("no call");
    await model.ask({
      tools,
      messages: [
        { role: "user", content: [{ type: "text", text: "Read." }] },
        { role: "assistant", content: "", toolCalls: [call] },
        { role: "tool", callId: call.id, name: call.name, content: "print(1)" },
      ],
    });
    expect(model.server.requests[0]?.tools).toEqual(["read_file"]);
    const [, turn, result] = model.server.requests[1]?.messages ?? [];
    expect(turn).toMatchObject({ role: "assistant", calls: ["read_file"] });
    expect(result).toMatchObject({ role: "tool", text: expect.stringContaining("print(1)") });
  });

  test("sends its key, and says which variable held it when it is refused", async () => {
    await using model = await serveModel(
      () => ({ fault: "status", status: 401, body: { error: { message: "bad key secret-key" } } }),
      { keys: { KEY: "secret-key" }, provider: { kind } },
    );
    const failure = await failureOf(model.ask());
    expect(failure.code).toBe("model.unauthorized");
    expect(JSON.stringify(model.server.requests[0]?.headers)).toContain("secret-key");
    expect(failure.message).toContain("the key in KEY was refused by local");
    expect(JSON.stringify(failure)).not.toContain("secret-key");
    expect(model.server.requests).toHaveLength(1);
  });

  test("retries a malformed, a cut and a broken stream, then says so", async () => {
    const faults = ["malformed", "cut", "reset-mid-stream", "malformed"] as const;
    await using model = await serveModel((_, index) => ({ fault: faults[index] ?? "malformed" }), {
      retry: { attempts: 4 },
      provider: { kind },
    });
    const failure = await failureOf(model.ask());
    expect(failure).toMatchObject({ code: "model.malformed", kind: "transient" });
    expect(failure.message).toContain("4 attempts");
    expect(model.server.requests).toHaveLength(4);
  });

  test("sends nothing that the budget does not allow", async () => {
    await using model = await serveModel(() => ({ text: "hi" }), { provider: { kind }, limits: { maxTokens: 500 } });
    expect(await failureOf(model.ask())).toMatchObject({ code: "budget.tokens" });
    expect(model.server.requests).toHaveLength(0);
  });

  test("takes silence, before and within the answer, as a time-out", async () => {
    await using model = await serveModel(
      (_, index) => (index === 0 ? { fault: "hang" } : { fault: "hang-mid-stream" }),
      { retry: { attempts: 2, requestTimeoutMs: 60 }, provider: { kind } },
    );
    expect(await failureOf(model.ask())).toMatchObject({ code: "model.timeout", kind: "transient" });
    expect(model.server.requests).toHaveLength(2);
  });

  test("is cancelled at once while the server hangs, which is no failure", async () => {
    for (const fault of ["hang", "hang-mid-stream"] as const) {
      await using model = await serveModel(() => ({ fault }), { provider: { kind } });
      const cancel = new AbortController();
      const asked = model.ask({}, cancel.signal);
      await until(() => model.server.requests.length === 1 && (fault === "hang" || model.deltas.length > 0));
      const reason = new Error("Ctrl-C");
      cancel.abort(reason);
      await expect(asked).rejects.toBe(reason);
      expect(model.pauses).toEqual([]);
      // Nobody knows what the server did with it, so it counts as spent.
      expect((await model.ledger.spent()).tokens).toBeGreaterThan(0);
    }
  });
});

test("a tool call with broken JSON keeps its text, and the conversation goes on with it", async () => {
  for (const kind of ["openai-compatible", "openai", "anthropic"] as const) {
    const broken = '{"path": "a.py", "content": "unfinished';
    await using model = await serveModel(
      (_, index) => (index === 0 ? { toolCalls: [{ name: "create_file", arguments: broken }] } : { text: "sorry" }),
      { provider: { kind } },
    );
    const tools = [{ name: "create_file", description: "Creates a file.", parameters: { type: "object" } }];
    const answer = await model.ask({ tools });
    expect(answer.toolCalls).toMatchObject([{ name: "create_file", arguments: broken }]);
    const [call] = answer.toolCalls;
    if (!call) throw new Error("no call");
    const next = await model.ask({
      tools,
      messages: [
        { role: "user", content: [{ type: "text", text: "Create." }] },
        { role: "assistant", content: "", toolCalls: [call] },
        { role: "tool", callId: call.id, name: call.name, content: "the arguments are not JSON" },
      ],
    });
    expect(next.text).toBe("sorry");
    const sent = JSON.stringify(model.server.requests[1]?.body);
    expect(sent).toContain("unfinished");
    expect(sent).toContain("invalid_json");
  }
});

test.each(["openai-compatible", "openai", "anthropic", "google"] as const)(
  "%s gets an image as an image and a text file as text, and a schema as a schema",
  async (kind) => {
    await using model = await serveModel(() => ({ text: "{}" }), { provider: { kind } });
    const text = Buffer.from("a,b\n1,2").toString("base64");
    await model.ask({
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Look." },
            { type: "file", name: "shot.png", mediaType: "image/png", data: "iVBORw0KGgo=" },
            { type: "file", name: "table.csv", mediaType: "text/csv", data: text },
          ],
        },
      ],
    });
    const body = JSON.stringify(model.server.requests[0]?.body);
    expect(body).toContain("iVBORw0KGgo=");
    expect(body).toContain("a,b\\n1,2");
    expect(body).not.toContain(text);
  },
);

test("Claude's prompts are marked for its cache, unless the price of writing there is not known", async () => {
  const provider = { kind: "anthropic" as const };
  const price = { input: 3, output: 15 };
  for (const [prices, marks] of [
    [{}, 2],
    [{ "local/*": { ...price, cacheWrite: 3.75 } }, 2],
    [{ "local/*": price }, 0],
  ] as const) {
    await using model = await serveModel(() => ({ text: "ok" }), { provider, prices });
    await model.ask();
    expect(JSON.stringify(model.server.requests[0]?.body).match(/cache_control/g) ?? []).toHaveLength(marks);
  }
});

test("of a briefing in two parts, Claude's cache also gets the first, which the next attempt has again", async () => {
  await using model = await serveModel(() => ({ text: "ok" }), { provider: { kind: "anthropic" as const } });
  const parts = ["what lasts", "what is new"].map((text) => ({ type: "text" as const, text }));
  await model.ask({
    messages: [
      { role: "system", content: "You are the coder." },
      { role: "user", content: parts },
    ],
  });
  const cached = { cache_control: { type: "ephemeral" } };
  expect(model.server.requests[0]?.body).toMatchObject({
    messages: [
      {
        content: [
          { text: "what lasts", ...cached },
          { text: "what is new", ...cached },
        ],
      },
    ],
  });
});

test("nothing is stored at OpenAI", async () => {
  await using model = await serveModel(() => ({ text: "ok" }), { provider: { kind: "openai" } });
  await model.ask();
  expect(model.server.requests[0]?.body).toMatchObject({ store: false });
});
