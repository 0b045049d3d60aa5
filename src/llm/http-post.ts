import type { ClientRequest, IncomingMessage, Agent as PlainAgent } from "node:http";
import { currentRequest } from "../bus/correlation.ts";
import { AttemptFault } from "./attempt-fault.ts";

/** A request to a server, as it goes over the wire. */
export interface Posting {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface Reply {
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
}

export interface PostLimits {
  signal: AbortSignal;
  /** The longest silence: before the headers, and between two pieces of the body. */
  timeoutMs: number;
  /** Something of the answer came. */
  onBytes?: () => void;
}

/** A longer answer counts as a fault of the server. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 16 * 1024;
/** With these codes a request certainly did not arrive. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ERR_INVALID_CHAR",
]);

/**
 * One POST over `node:http`: it starts faster than `fetch`, and has no silent limit of five minutes, which a local model
 * that reads a long prompt exceeds. Throws AttemptFault for every answer that is not 2xx; rejects with the signal's reason.
 */
export class HttpPoster {
  readonly #environment: Record<string, string | undefined>;
  readonly #agents = new Map<string, PlainAgent>();

  /** Proxy variables (HTTPS_PROXY, NO_PROXY, …) are read from the environment given here. */
  constructor(environment: Record<string, string | undefined>) {
    this.#environment = environment;
  }

  async post(posting: Posting, limits: PostLimits): Promise<Reply> {
    limits.signal.throwIfAborted();
    const url = new URL(posting.url);
    const request = this.#open(url, posting);
    const watch = new SilenceWatch(limits, (reason) => request.destroy(reason));
    try {
      const response = await responseTo(request, posting.body);
      const headers = plainHeaders(response);
      watch.enterStream();
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) return { headers, body: bodyOf(response, watch) };
      const body = await readStart(bodyOf(response, watch));
      throw new AttemptFault({ type: "status", status, headers, body });
    } catch (error) {
      watch.end();
      throw watch.explain(error);
    }
  }

  #open(url: URL, posting: Posting): ClientRequest {
    // Not by `import`, which reads every export of the module. One export loads all of undici, which takes 20 ms.
    const name = url.protocol === "https:" ? "node:https" : "node:http";
    const { request, Agent } = process.getBuiltinModule(name);
    let agent = this.#agents.get(url.protocol);
    if (!agent) {
      agent = new Agent({ keepAlive: true, proxyEnv: this.#environment });
      this.#agents.set(url.protocol, agent);
    }
    const length = String(Buffer.byteLength(posting.body));
    const id = currentRequest();
    const headers = { ...(id !== null && { "x-request-id": id }), ...posting.headers, "content-length": length };
    return request(url, { method: "POST", agent, headers });
  }
}

function responseTo(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // The listener stays, because an error after the response would otherwise end the process.
    request.on("error", reject);
    request.once("response", resolve);
    request.end(body);
  });
}

async function* bodyOf(response: IncomingMessage, watch: SilenceWatch): AsyncGenerator<Uint8Array> {
  let total = 0;
  try {
    for await (const chunk of response) {
      watch.touch();
      total += chunk.length;
      if (total > MAX_REPLY_BYTES) throw new AttemptFault({ type: "malformed", reason: "the answer does not end" });
      yield chunk;
    }
  } catch (error) {
    throw watch.explain(error);
  } finally {
    watch.end();
  }
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    total += chunk.length;
    if (total > MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(chunks).toString("utf8").slice(0, MAX_ERROR_BYTES);
}

function plainHeaders(response: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : `${value}`,
    ]),
  );
}

/** Ends a request that is cancelled or silent for too long, and knows which of the two it is. */
class SilenceWatch {
  readonly #limits: PostLimits;
  readonly #stop: (reason: Error) => void;
  readonly #cancel: () => void;
  #timer: NodeJS.Timeout;
  #phase: "headers" | "stream" = "headers";
  #fault: AttemptFault | undefined;

  constructor(limits: PostLimits, stop: (reason: Error) => void) {
    this.#limits = limits;
    this.#stop = stop;
    this.#cancel = () => stop(new Error("cancelled"));
    this.#timer = setTimeout(() => this.#expire(), limits.timeoutMs);
    limits.signal.addEventListener("abort", this.#cancel, { once: true });
  }

  touch(): void {
    this.#limits.onBytes?.();
    this.#timer.refresh();
  }

  enterStream(): void {
    this.#phase = "stream";
    this.touch();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#limits.signal.removeEventListener("abort", this.#cancel);
  }

  explain(error: unknown): unknown {
    if (this.#limits.signal.aborted) return this.#limits.signal.reason;
    if (this.#fault) return this.#fault;
    if (error instanceof AttemptFault) return error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return new AttemptFault({ type: "network", code, sent: !NEVER_SENT.has(code) }, { cause: error });
  }

  #expire(): void {
    this.#fault = new AttemptFault({ type: "timeout", waitedMs: this.#limits.timeoutMs, phase: this.#phase });
    this.#stop(this.#fault);
  }
}
