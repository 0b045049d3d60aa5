import { z } from "zod";
import { httpUrl } from "../../config/parse-setting.ts";
import { fail } from "../../domain/failure.ts";
import { Event } from "../../domain/task/event.ts";

const Problem = z.object({ detail: z.string(), code: z.string() });

/** A task as the server tells it, as far as a terminal needs it. */
export const RemoteTask = z.object({
  id: z.string(),
  goal: z.string(),
  directory: z.string(),
  state: z.string(),
  questions: z.int(),
});
export type RemoteTask = z.infer<typeof RemoteTask>;

/** `miracle serve` somewhere, asked with a token. */
export class ServerClient {
  readonly origin: string;
  readonly #token: string | undefined;

  private constructor(origin: string, token: string | undefined) {
    this.origin = origin;
    this.#token = token;
  }

  /** The server that a flag or MIRACLE_SERVER names; null: work is done here. */
  static from(flag: string | undefined, env: Record<string, string | undefined>): ServerClient | null {
    const address = flag ?? env.MIRACLE_SERVER?.trim();
    if (!address) return null;
    try {
      return new ServerClient(new URL(httpUrl(address)).origin, env.MIRACLE_TOKEN?.trim() || undefined);
    } catch (cause) {
      const message = `${flag === undefined ? "MIRACLE_SERVER" : "--server"}: an address like http://localhost:8000 is needed`;
      throw fail("invalid-input", "server.address", message, { cause });
    }
  }

  get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return this.#json(path, schema);
  }

  post<T>(path: string, body: object, schema: z.ZodType<T>): Promise<T> {
    return this.#json(path, schema, body);
  }

  /** The events of a task behind this number, as they come, until the connection ends. */
  async *events(task: string, after: number, signal: AbortSignal): AsyncGenerator<Event> {
    const response = await this.#ask(`/tasks/${task}/events?after=${after}`, undefined, signal);
    let text = "";
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, data] = /^data: (.*)$/m.exec(block) ?? [];
        if (data !== undefined) yield Event.parse(JSON.parse(data));
      }
    }
  }

  async #json<T>(path: string, schema: z.ZodType<T>, body?: object): Promise<T> {
    const parsed = schema.safeParse(await (await this.#ask(path, body)).json().catch(() => null));
    if (parsed.success) return parsed.data;
    throw fail("environment", "server.strange", `${this.origin} answers otherwise than this Miracle expects`);
  }

  async #ask(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const response = await fetch(`${this.origin}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      // A token goes to the server that was named, and nowhere else.
      redirect: "error",
    }).catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw fail("transient", "server.unreachable", `no server answers at ${this.origin}`, { cause });
    });
    if (response.ok) return response;
    throw await this.#problem(response);
  }

  async #problem(response: Response) {
    const { detail, code } = Problem.safeParse(await response.json().catch(() => null)).data ?? {
      detail: `the answer is ${response.status}`,
      code: "server.strange",
    };
    if (response.status === 401) {
      return fail(
        "environment",
        code,
        `${this.origin} wants a token: set MIRACLE_TOKEN (\`miracle token add\` makes one)`,
      );
    }
    const kind = response.status === 403 ? "policy" : response.status >= 500 ? "transient" : "invalid-input";
    return fail(kind, code, `${this.origin}: ${detail}`);
  }
}
