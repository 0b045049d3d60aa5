import { afterEach, describe, expect, test } from "vitest";
import { type ModelServer, type Script, startModelServer } from "../../test/model-server.ts";
import { openTestModel, type TestModel, type TestModelOptions } from "../../test/open-test-model.ts";
import { TerminalFailure } from "../domain/failure.ts";
import type { Provider } from "../domain/settings.ts";

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part[Symbol.asyncDispose]();
});

async function serve(
  script: Script,
  options: Partial<TestModelOptions> = {},
  kind: Provider["kind"] = "openai-compatible",
): Promise<{ server: ModelServer; test: TestModel }> {
  const server = await startModelServer(script);
  open.push(server);
  const test = await openTestModel({
    providers: { local: { kind, baseUrl: server.baseUrl, keyVariable: "KEY" } },
    models: ["local/first"],
    keys: { KEY: "secret-key" },
    ...options,
  });
  open.push(test);
  return { server, test };
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => ({ code: "answered", kind: "", message: "" }),
    (error: unknown) => {
      if (error instanceof TerminalFailure) return error.failure;
      throw error;
    },
  );

describe.each(["openai-compatible", "openai", "anthropic", "google"] as const)("a model of kind %s", (kind) => {
  test("answers with its text, streams it, and counts its tokens", async () => {
    const { server, test } = await serve(
      () => ({ text: "hello world", usage: { input: 50, output: 7, cached: 20 } }),
      {},
      kind,
    );
    const answer = await test.ask();
    expect(answer).toEqual({
      text: "hello world",
      toolCalls: [],
      finish: "stop",
      model: "local/first",
      attempts: 1,
      usage: { inputTokens: 50, outputTokens: 7, cachedInputTokens: 20, costMicros: null },
    });
    expect(test.deltas.join("")).toBe("hello world");
    expect(test.deltas.length).toBeGreaterThan(1);
    expect(server.requests[0]).toMatchObject({
      model: "first",
      system: "You are the coder.",
      messages: [{ role: "user", text: "Say hello." }],
      maxOutputTokens: 100,
    });
  });

  test("calls tools and reads their results", async () => {
    const { server, test } = await serve(
      (_, index) =>
        index === 0 ? { toolCalls: [{ name: "read_file", arguments: { path: "a.py" } }] } : { text: "seen" },
      {},
      kind,
    );
    const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
    const tools = [{ name: "read_file", description: "Reads a file.", parameters }];
    const answer = await test.ask({ tools });
    expect(answer.finish).toBe("tool-calls");
    expect(answer.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ["read_file", { path: "a.py" }],
    ]);
    const [call] = answer.toolCalls;
    if (!call) throw new Error("no call");
    await test.ask({
      tools,
      messages: [
        { role: "user", content: [{ type: "text", text: "Read." }] },
        { role: "assistant", content: "", toolCalls: [call] },
        { role: "tool", callId: call.id, name: call.name, content: "print(1)" },
      ],
    });
    expect(server.requests[0]?.tools).toEqual(["read_file"]);
    const [, turn, result] = server.requests[1]?.messages ?? [];
    expect(turn).toMatchObject({ role: "assistant", calls: ["read_file"] });
    expect(result).toMatchObject({ role: "tool", text: expect.stringContaining("print(1)") });
  });

  test("sends its key, and says which variable held it when it is refused", async () => {
    const { server, test } = await serve(
      () => ({ fault: "status", status: 401, body: { error: { message: "bad key secret-key" } } }),
      { keys: { KEY: "secret-key" } },
      kind,
    );
    const failure = await failureOf(test.ask());
    expect(failure.code).toBe("model.unauthorized");
    expect(JSON.stringify(server.requests[0]?.headers)).toContain("secret-key");
    expect(failure.message).toContain("the key in KEY was refused by local");
    expect(JSON.stringify(failure)).not.toContain("secret-key");
    expect(server.requests).toHaveLength(1);
  });

  test("retries a malformed, a cut and a broken stream, then says so", async () => {
    const faults = ["malformed", "cut", "reset-mid-stream", "malformed"] as const;
    const { server, test } = await serve(
      (_, index) => ({ fault: faults[index] ?? "malformed" }),
      { retry: { attempts: 4 } },
      kind,
    );
    const failure = await failureOf(test.ask());
    expect(failure).toMatchObject({ code: "model.malformed", kind: "transient" });
    expect(failure.message).toContain("4 attempts");
    expect(server.requests).toHaveLength(4);
  });

  test("takes silence, before and within the answer, as a time-out", async () => {
    const { server, test } = await serve(
      (_, index) => (index === 0 ? { fault: "hang" } : { fault: "hang-mid-stream" }),
      { retry: { attempts: 2, requestTimeoutMs: 60 } },
      kind,
    );
    expect(await failureOf(test.ask())).toMatchObject({ code: "model.timeout", kind: "timeout" });
    expect(server.requests).toHaveLength(2);
  });
});
