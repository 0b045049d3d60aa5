import { onTestFinished, vi } from "vitest";
import { z } from "zod";
import type { StartedCommand } from "./command-line.ts";
import type { ScriptedTerminal } from "./scripted-terminal.ts";

export interface ApiAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export interface SentEvent {
  id: number;
  event: string;
  data: Record<string, unknown>;
}

/** `miracle serve` as a process of its own, and a client that knows its token. */
export class ServedApi {
  readonly process: StartedCommand;
  readonly origin: string;
  readonly token: string;

  private constructor(process: StartedCommand, origin: string, token: string) {
    this.process = process;
    this.origin = origin;
    this.token = token;
  }

  /** A server that was started before has printed the token, and does not again. */
  static async start(
    terminal: ScriptedTerminal,
    options: { command?: string; token?: string; flags?: string[]; env?: Record<string, string> } = {},
  ): Promise<ServedApi> {
    const process = terminal.start([options.command ?? "serve", "--port", "0", ...(options.flags ?? [])], {
      env: options.env ?? {},
    });
    onTestFinished(async () => {
      process.kill("SIGKILL");
      await process.end;
    });
    const printed = await process.line(/(?:serving|dashboard) at (http:\S+?)\/(?:#token=(\S+))?\n/);
    return new ServedApi(process, printed[1] ?? "", options.token ?? printed[2] ?? "");
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.ask("GET", path, undefined, headers);
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.ask("POST", path, body, headers);
  }

  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    const told = isJson ? z.record(z.string(), z.unknown()).parse(JSON.parse(text)) : { text };
    return { status: response.status, headers: response.headers, body: told };
  }

  /** Follows a task from an event on, until one of this type came; a connection that breaks ends it, too. */
  async follow(task: string, until: string, after = 0): Promise<SentEvent[]> {
    const events: SentEvent[] = [];
    for await (const event of this.events(task, after)) {
      events.push(event);
      if (event.event === until) break;
    }
    return events;
  }

  async *events(task: string, after = 0): AsyncGenerator<SentEvent> {
    const ended = new AbortController();
    try {
      const headers = { authorization: `Bearer ${this.token}`, "last-event-id": String(after) };
      const response = await fetch(`${this.origin}/tasks/${task}/events`, { headers, signal: ended.signal });
      if (response.status !== 200 || !response.body) throw new Error(`${response.status} ${await response.text()}`);
      let text = "";
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
          const data = field("data");
          if (data === undefined) continue;
          const parsed = z.record(z.string(), z.unknown()).parse(JSON.parse(data));
          yield { id: Number(field("id")), event: field("event") ?? "", data: parsed };
        }
      }
    } finally {
      ended.abort();
    }
  }

  /** Asks until the task is in this state. */
  reaches(task: string, state: string): Promise<Record<string, unknown>> {
    return vi.waitFor(
      async () => {
        const { body } = await this.get(`/tasks/${task}`);
        if (body.state !== state) throw new Error(`task ${task} is ${body.state}, not ${state}`);
        return body;
      },
      { timeout: 110_000, interval: 50 },
    );
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.process.kill(signal);
    await this.process.end;
  }
}
