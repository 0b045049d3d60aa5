import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicMessages } from "./model-server/anthropic-messages.ts";
import { chatCompletions } from "./model-server/chat-completions.ts";
import type { Dialect, ReadRequest } from "./model-server/dialect.ts";
import { geminiContent } from "./model-server/gemini-content.ts";
import { openaiResponses } from "./model-server/openai-responses.ts";

/** What the scripted model says. */
export interface ScriptedAnswer {
  text?: string;
  /** Arguments as an object, or as a text that may be broken JSON. */
  toolCalls?: { name: string; arguments: object | string }[];
  /** Null: the server sends no usage. Left out: estimated from the request and the answer. */
  usage?: { input: number; output: number; cached?: number } | null;
  finish?: "stop" | "length";
}

/** What goes wrong instead. */
export type ScriptedFault =
  | { fault: "status"; status: number; headers?: Record<string, string>; body?: object | string }
  /** Never sends a header. */
  | { fault: "hang" }
  /** Sends a piece of the answer, then nothing more. */
  | { fault: "hang-mid-stream"; text?: string }
  /** Sends events that are not JSON. */
  | { fault: "malformed" }
  /** Ends the stream properly, but before the answer is complete. */
  | { fault: "cut" }
  | { fault: "reset" }
  | { fault: "reset-mid-stream" };

/** A request as the script sees it, whatever the dialect. */
export interface ServedRequest extends ReadRequest {
  dialect: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
  bytes: number;
  /** Of the body: equal requests have equal hashes. */
  hash: string;
}

type Scripted = ScriptedAnswer | ScriptedFault;

/** A promise holds the answer back until the test has seen what it wanted to see. */
export type Script = (request: ServedRequest, index: number) => Scripted | Promise<Scripted>;

export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  origin: string;
  /** What an OpenAI-compatible provider takes as its base URL. */
  baseUrl: string;
  requests: ServedRequest[];
  /** Hashes of requests that came more than once: calls that were made again. */
  repeated(): string[];
  close(): Promise<void>;
}

export interface ServerOptions {
  port?: number;
  /** Default: this machine only. */
  host?: string;
  onRequest?: (request: ServedRequest) => void;
}

const dialects: Dialect[] = [chatCompletions, openaiResponses, anthropicMessages, geminiContent];

/** A real HTTP server whose model is a function. It answers OpenAI, Anthropic and Gemini clients, streaming or not. */
export async function startModelServer(script: Script, options: ServerOptions = {}): Promise<ModelServer> {
  const requests: ServedRequest[] = [];
  const server = createServer((message, response) => {
    serve(message, response, (request) => {
      requests.push(request);
      options.onRequest?.(request);
      return script(request, requests.length - 1);
    }).catch((error: unknown) => refuse(response, 500, `the script failed: ${error}`));
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, options.host ?? "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => closeServer(server);
  return {
    origin,
    baseUrl: `${origin}/v1`,
    requests,
    repeated: () => repeatedIn(requests.map((request) => request.hash)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function serve(
  message: IncomingMessage,
  response: ServerResponse,
  ask: (request: ServedRequest) => ReturnType<Script>,
) {
  const text = await readBody(message);
  const path = new URL(message.url ?? "/", "http://localhost").pathname;
  if (message.method === "GET" && path.endsWith("/models"))
    return sendJson(response, 200, { data: [{ id: "default" }] });
  const dialect = dialects.find((candidate) => candidate.serves(path));
  if (message.method !== "POST" || !dialect)
    return refuse(response, 404, `nothing is served at ${message.method} ${path}`);
  const body: unknown = JSON.parse(text);
  const request: ServedRequest = {
    ...dialect.read(body, path),
    dialect: dialect.name,
    path,
    headers: message.headers,
    body,
    bytes: Buffer.byteLength(text),
    hash: createHash("sha256").update(text).digest("hex"),
  };
  const answer = await ask(request);
  if ("fault" in answer) return misbehave(answer, request, dialect, response);
  if (!request.stream) return sendJson(response, 200, dialect.whole(fill(answer, request), request));
  openStream(response);
  for (const event of dialect.events(fill(answer, request), request)) response.write(event);
  response.end();
}

function misbehave(fault: ScriptedFault, request: ServedRequest, dialect: Dialect, response: ServerResponse): void {
  const start = (text: string) => dialect.events(fill({ text }, request), request)[dialect.textEvent] ?? "";
  switch (fault.fault) {
    case "hang":
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "status":
      sendJson(response, fault.status, fault.body ?? { error: { message: `scripted ${fault.status}` } }, fault.headers);
      return;
    case "malformed":
      openStream(response);
      response.end('data: {"choices": [{"delta"\n\ndata: not json\n\n');
      return;
    case "hang-mid-stream":
      openStream(response);
      response.write(start(fault.text ?? "half an"));
      return;
    case "cut":
      openStream(response);
      response.end(start("half an"));
      return;
    case "reset-mid-stream":
      openStream(response);
      response.write(start("half an"), () => response.socket?.resetAndDestroy());
  }
}

/** Every answer has a text, calls with texts as arguments, and a bill. */
function fill(answer: ScriptedAnswer, request: ServedRequest) {
  const text = answer.text ?? "";
  const turn = request.messages.filter((message) => message.role === "assistant").length;
  const toolCalls = (answer.toolCalls ?? []).map((call, position) => ({
    id: `call_${turn}_${position}`,
    name: call.name,
    arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
  }));
  const written = text.length + toolCalls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
  const estimate = { input: Math.ceil(request.bytes / 4), output: Math.ceil(written / 4) + 1 };
  const usage = answer.usage === undefined ? estimate : answer.usage;
  return { id: `answer-${request.hash.slice(0, 12)}`, text, toolCalls, usage, finish: answer.finish ?? "stop" };
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object | string,
  headers: Record<string, string> = {},
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(text);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) response.destroy();
  else sendJson(response, status, { error: { message } });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function repeatedIn(hashes: string[]): string[] {
  return [...new Set(hashes.filter((hash, position) => hashes.indexOf(hash) !== position))];
}
