import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTestStore } from "../../test/open-test-model.ts";
import { failureOf, serveModel } from "../../test/serve-model.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { SharedProvider } from "./shared-provider.ts";

test.each([
  ["model.unauthorized", 403, { error: { message: "no access" } }],
  ["model.unauthorized", 400, [{ error: { message: "API key not valid. Please pass a valid API key." } }]],
  ["model.unknown", 404, { error: { message: "The model `first` does not exist", code: "model_not_found" } }],
  ["model.unknown", 404, "404 page not found"],
  [
    "model.context-length",
    400,
    { error: { message: "maximum context length is 8192 tokens", code: "context_length_exceeded" } },
  ],
  [
    "model.context-length",
    400,
    { type: "error", error: { message: "prompt is too long: 210000 tokens > 200000 maximum" } },
  ],
  ["model.quota", 402, { error: "payment required" }],
  ["model.quota", 429, { error: { message: "You exceeded your current quota", code: "insufficient_quota" } }],
  ["model.quota", 400, { error: { message: "Your credit balance is too low" } }],
  ["model.rejected", 400, { error: { message: "temperature is too hot" } }],
])("fails with %s at once on status %i", async (code, status, body) => {
  await using model = await serveModel(() => ({ fault: "status", status, body }));
  expect(await failureOf(model.ask())).toMatchObject({ code });
  expect(model.server.requests).toHaveLength(1);
  expect(await model.ledger.spent()).toEqual({ costMicros: 0, tokens: 0 });
});

test("a provider that limits the rate is left alone by all who share it, and each request has a slot", async () => {
  const store = await openTestStore(join(temporaryDirectory(), "shared.db"));
  onTestFinished(() => store[Symbol.asyncDispose]());
  let now = 1_000_000;
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
    now += ms;
  };
  const shared = (name: string) => new SharedProvider({ store, now: () => now, sleep, random: () => 0 }, name);
  const limited = { fault: "status", status: 429, headers: { "retry-after": "7" } } as const;
  const options = { provider: { atOnce: 2 }, parts: { shared } };
  await using model = await serveModel((_, index) => (index === 0 ? limited : { text: "on" }), options);
  expect(await model.ask()).toMatchObject({ text: "on", attempts: 2 });
  // The clock of the pause is the shared one, which stands still while this task waits by itself.
  expect(waits).toEqual([7_000]);
  const slots = await store.read.selectFrom("provider_slots").selectAll().execute();
  expect(slots).toMatchObject([{ provider: expect.stringMatching(/^local \(127\.0\.0\.1:/), slot: 0, until: 0 }]);
});

test.each([408, 429, 500, 502, 503, 504, 529])("tries again on status %i, with growing pauses", async (status) => {
  await using model = await serveModel((_, index) => (index < 2 ? { fault: "status", status } : { text: "at last" }));
  const answer = await model.ask();
  expect(answer).toMatchObject({ text: "at last", attempts: 3 });
  expect(model.pauses).toEqual([500, 1000]);
  expect(model.server.requests).toHaveLength(3);
});

test.each([
  ["seconds", { "retry-after": "7" }, 7_000],
  ["a date", { "retry-after": "Thu, 01 Jan 2026 00:00:42 GMT" }, 42_000],
  ["milliseconds", { "retry-after-ms": "1500", "retry-after": "9" }, 1_500],
])("waits as long as the server asks for, in %s", async (_, headers, ms) => {
  await using model = await serveModel((_, index) =>
    index === 0 ? { fault: "status", status: 429, headers } : { text: "on" },
  );
  await model.ask();
  expect(model.pauses).toEqual([ms]);
});

test("does not wait an hour: the next model is tried", async () => {
  await using model = await serveModel(
    ({ model }) =>
      model === "first" ? { fault: "status", status: 429, headers: { "retry-after": "3600" } } : { text: "instead" },
    { models: ["local/first", "local/second"] },
  );
  expect(await model.ask()).toMatchObject({ text: "instead", model: "local/second", attempts: 2 });
  expect(model.pauses).toEqual([]);
});

test("tries again after a reset connection", async () => {
  await using model = await serveModel((_, index) => (index === 0 ? { fault: "reset" } : { text: "back" }));
  expect(await model.ask()).toMatchObject({ text: "back", attempts: 2 });
});

test("says where it looked when nobody listens, and spends nothing", async () => {
  await using model = await serveModel(() => ({ text: "" }));
  await model.server.close();
  const failure = await failureOf(model.ask());
  expect(failure).toMatchObject({ code: "model.unavailable", kind: "transient" });
  expect(failure.message).toContain(model.server.baseUrl);
  expect(failure.message).toContain("ECONNREFUSED");
  expect(await model.ledger.spent()).toEqual({ costMicros: 0, tokens: 0 });
});

test("goes through the role's models in order, and names every failure", async () => {
  await using model = await serveModel(
    ({ model }) => (model === "first" ? { fault: "status", status: 404 } : { fault: "status", status: 500 }),
    { models: ["local/first", "local/second", "local/third"], retry: { attempts: 2 } },
  );
  const failure = await failureOf(model.ask());
  expect(model.server.requests.map((request) => request.model)).toEqual([
    "first",
    "second",
    "second",
    "third",
    "third",
  ]);
  expect(failure.code).toBe("model.unknown");
  expect(failure.message).toContain("then local/third: local");
  expect(failure.message).not.toContain("\n");
});

test("a failure is told once: again in a word, a next model by its name, and that of the last one as the call's own", async () => {
  await using model = await serveModel(() => ({ fault: "status", status: 500, body: "down" }), {
    models: ["local/first", "local/second"],
    retry: { attempts: 3 },
  });
  await expect(model.ask()).rejects.toThrow("then local/second: local");
  expect(model.notices).toEqual([
    expect.stringMatching(/^local .*; attempt 2 of 3 in \d+\.\d s$/),
    expect.stringMatching(/^the same again; attempt 3 of 3 in \d+\.\d s$/),
    expect.stringMatching(/^local\/first: local .*; local\/second is asked instead$/),
    expect.stringMatching(/^local .*; attempt 2 of 3 in /),
    expect.stringMatching(/^the same again; attempt 3 of 3 in /),
  ]);
});

test("a missing key names its variable and sends nothing", async () => {
  await using model = await serveModel(() => ({ text: "hi" }), { keys: {} });
  expect(await failureOf(model.ask())).toMatchObject({
    code: "model.no-key",
    kind: "environment",
    message: expect.stringContaining("set KEY"),
  });
  expect(model.server.requests).toHaveLength(0);
});

test("is cancelled during a pause between two attempts", async () => {
  const cancel = new AbortController();
  const reason = new Error("Ctrl-C");
  await using model = await serveModel(() => ({ fault: "status", status: 503 }), {
    parts: {
      clock: {
        now: () => 0,
        sleep: async () => {
          cancel.abort(reason);
          throw new Error("interrupted");
        },
      },
    },
  });
  await expect(model.ask({}, cancel.signal)).rejects.toBe(reason);
  expect(model.server.requests).toHaveLength(1);
});

test("a call that is cancelled before it starts sends and spends nothing", async () => {
  await using model = await serveModel(() => ({ text: "hi" }));
  await expect(model.ask({}, AbortSignal.abort(new Error("no")))).rejects.toThrow("no");
  expect(model.server.requests).toHaveLength(0);
  expect(await model.ledger.spent()).toEqual({ costMicros: 0, tokens: 0 });
});

test("a server that does not stream is understood as well", async () => {
  await using model = await serveModel(() => ({
    fault: "status",
    status: 200,
    body: {
      choices: [{ message: { content: "whole", tool_calls: null }, finish_reason: "stop" }],
      usage: { prompt_tokens: 5, completion_tokens: 1 },
    },
  }));
  expect(await model.ask()).toMatchObject({ text: "whole", usage: { inputTokens: 5, outputTokens: 1 } });
});

test("an error inside a stream is tried again", async () => {
  const error = 'data: {"error": {"message": "overloaded"}}\n\n';
  await using model = await serveModel((_, index) =>
    index === 0
      ? { fault: "status", status: 200, headers: { "content-type": "text/event-stream" }, body: error }
      : { text: "fine" },
  );
  expect(await model.ask()).toMatchObject({ text: "fine", attempts: 2 });
  expect(model.notices[0]).toContain("overloaded");
});
