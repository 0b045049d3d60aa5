import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request of chat completions, as far as a script looks at it. */
export interface ChatRequest {
  stream?: boolean;
  messages: { role: string }[];
  tools: { function: { name: string; parameters: { properties: object } } }[];
}

export type Answer = { text: string } | { tool: string; arguments: object };

/** One exchange, in milliseconds of this process's clock; characters of the request's and the answer's text. */
export interface Exchange {
  arrivedAt: number;
  answeredAt: number;
  asked: number;
  answered: number;
}

/** A model that answers at once, or as its script does, by a function of the request. On loopback; only chat completions, streamed or not. */
export class ModelServer implements AsyncDisposable {
  readonly #server = createServer((message, response) => void this.#serve(message, response));
  #answer: (request: ChatRequest) => Answer | Promise<Answer> = () => ({ text: "done" });
  #exchanges: Exchange[] = [];

  static async start(): Promise<ModelServer> {
    const server = new ModelServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Answers with this script from now on. The exchanges are added to the list that is returned. */
  follow(script: (request: ChatRequest) => Answer | Promise<Answer>): Exchange[] {
    this.#answer = script;
    this.#exchanges = [];
    return this.#exchanges;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedAt = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    const request: ChatRequest = JSON.parse(body);
    const answer = await this.#answer(request);
    const usage = { prompt_tokens: Math.ceil(body.length / 4), completion_tokens: Math.ceil(length(answer) / 4) };
    const id = `call_${this.#exchanges.length + 1}`;
    const type = request.stream ? "text/event-stream" : "application/json";
    const text = request.stream ? streamed(answer, id, usage) : JSON.stringify(whole(answer, id, usage));
    response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(text) });
    this.#exchanges.push({ arrivedAt, answeredAt: performance.now(), asked: body.length, answered: length(answer) });
    response.end(text);
  }
}

const length = (answer: Answer): number => ("text" in answer ? answer.text : JSON.stringify(answer)).length;

function contentOf(answer: Answer, id: string) {
  if ("text" in answer) return { role: "assistant", content: answer.text };
  const call = { name: answer.tool, arguments: JSON.stringify(answer.arguments) };
  return { role: "assistant", content: null, tool_calls: [{ index: 0, id, type: "function", function: call }] };
}

const finishOf = (answer: Answer): string => ("text" in answer ? "stop" : "tool_calls");

const whole = (answer: Answer, id: string, usage: object): object => ({
  id,
  object: "chat.completion",
  choices: [{ index: 0, message: contentOf(answer, id), finish_reason: finishOf(answer) }],
  usage,
});

function streamed(answer: Answer, id: string, usage: object): string {
  const head = { id, object: "chat.completion.chunk" };
  const events = [
    { ...head, choices: [{ index: 0, delta: contentOf(answer, id), finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: finishOf(answer) }] },
    { ...head, choices: [], usage },
  ];
  return [...events.map((event) => JSON.stringify(event)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
}
