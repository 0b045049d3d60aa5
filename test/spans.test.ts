import { createServer, type IncomingHttpHeaders } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { runCommandLine } from "../src/cli/command-line.ts";
import { AppBuilder } from "./app-builder.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { byTurn, call, helloGoal } from "./scripted-goal.ts";

const Attribute = z.strictObject({
  key: z.string(),
  value: z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
    z.strictObject({ doubleValue: z.number() }),
    z.strictObject({ arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }) }),
  ]),
});
const Span = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.union([z.literal(1), z.literal(3)]),
  startTimeUnixNano: z.string().regex(/^\d{19}$/),
  endTimeUnixNano: z.string().regex(/^\d{19}$/),
  attributes: z.array(Attribute),
  status: z.strictObject({ code: z.literal(2).optional(), message: z.string().optional() }),
});
const Scoped = z.strictObject({
  scope: z.strictObject({ name: z.string(), version: z.string() }),
  spans: z.array(Span),
});
const Traces = z.strictObject({
  resourceSpans: z.tuple([
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(Attribute) }),
      scopeSpans: z.tuple([Scoped]),
    }),
  ]),
});

/** What a collector was sent. */
async function startCollector(status = 200) {
  const sent: { path: string; headers: IncomingHttpHeaders; text: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    sent.push({ path: request.url ?? "", headers: request.headers, text: Buffer.concat(chunks).toString() });
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return { sent, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` };
}

const attributesOf = ({ attributes }: z.infer<typeof Span>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

async function run(env: Record<string, string>, script = byTurn(...helloGoal)) {
  const builder = await AppBuilder.create(script);
  const place = {
    MIRACLE_HOME: builder.dataDirectory,
    MIRACLE_BASE_URL: builder.server.baseUrl,
    PATH: "/usr/bin:/bin",
  };
  const terminal = fakeTerminal({
    directory: builder.directory,
    home: builder.dataDirectory,
    env: { ...place, ...env },
  });
  await runCommandLine(["run", "--direct", "say hello SECRET-GOAL"], terminal);
  return { builder, told: terminal.errors() + terminal.outputs() };
}

test("a run is told to the collector that the environment names: calls, tools and steps, and nothing of their content", async () => {
  const { sent, url } = await startCollector();
  const headers = "authorization=Bearer%20abc, x-team=one";
  await run({ OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`, OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_SERVICE_NAME: "mine" });
  expect(sent.map(({ path }) => path)).toEqual(["/v1/traces"]);
  const [{ headers: got, text } = { headers: {}, text: "" }] = sent;
  expect(got).toMatchObject({ "content-type": "application/json", authorization: "Bearer abc", "x-team": "one" });
  const [{ resource, scopeSpans }] = Traces.parse(JSON.parse(text)).resourceSpans;
  expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "mine" } });
  const [whole, ...parts] = scopeSpans[0].spans;
  if (!whole) throw new Error("no span of the run");
  expect(whole.parentSpanId).toBeUndefined();
  expect(attributesOf(whole)).toMatchObject({ "gen_ai.operation.name": "invoke_agent", "miracle.outcome": "checked" });
  for (const span of parts) {
    expect([span.traceId, span.parentSpanId]).toEqual([whole.traceId, whole.spanId]);
    expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(whole.startTimeUnixNano));
    expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(whole.endTimeUnixNano));
  }
  expect(new Set(parts.map(({ spanId }) => spanId)).size).toBe(parts.length);
  const [chat] = parts.filter(({ name }) => name === "chat default");
  expect(chat?.kind).toBe(3);
  expect(chat && attributesOf(chat)).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "local",
    "gen_ai.agent.name": "coder",
    "gen_ai.response.finish_reasons": { values: [{ stringValue: "tool-calls" }] },
    "gen_ai.usage.input_tokens": expect.stringMatching(/^[1-9]/),
  });
  const [tool] = parts.filter(({ name }) => name === "execute_tool create_file");
  expect(tool && attributesOf(tool)).toMatchObject({ "gen_ai.tool.name": "create_file" });
  expect(parts.map(({ name }) => name)).toContain("survey");
  expect(text).not.toMatch(/SECRET-GOAL|hello\.txt|wrote hello/);
});

test("a collector that refuses takes nothing from the result, and the person is told once", async () => {
  const { sent, url } = await startCollector(500);
  const { builder, told } = await run({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/own` });
  expect(sent.map(({ path }) => path)).toEqual(["/own"]);
  expect(builder.files()).toMatchObject({ "hello.txt": "hello\n" });
  expect(told.match(/spans of this run were not taken by the collector/g)).toHaveLength(1);
});

test("without an address nobody is told, and neither where it is turned off or stands in the project's own .env", async () => {
  const { sent, url } = await startCollector();
  await run({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: "true" });
  const writesEnv = byTurn(
    call("create_file", { path: "hello.txt", content: "hello\n" }),
    call("finish", { summary: "" }),
  );
  const builder = await AppBuilder.create(writesEnv, { ".env": `OTEL_EXPORTER_OTLP_ENDPOINT=${url}\n` });
  const env = { MIRACLE_HOME: builder.dataDirectory, MIRACLE_BASE_URL: builder.server.baseUrl, PATH: "/usr/bin:/bin" };
  const terminal = fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env });
  await runCommandLine(["run", "--direct", "say hello"], terminal);
  expect(builder.files()).toHaveProperty(["hello.txt"]);
  expect(sent).toEqual([]);
});
