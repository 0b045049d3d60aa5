import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type AddressPolicy, type Choice, chooseAddresses } from "../hosts/choose-address.ts";
import { connectTo } from "../hosts/connect-to.ts";
import { Traffic } from "../hosts/traffic.ts";
import type { RegistryMirror } from "../packages/registry-mirror.ts";
import type { NetworkRequest } from "../sandbox.ts";
import { forward, splice } from "./forward.ts";
import { readTarget, type Target } from "./read-target.ts";

export interface ProxyLimits {
  connections: number;
  headerBytes: number;
  /** The limit for all bytes, in both directions. */
  bytes: number;
  /** A connection without a byte for this long is ended. */
  idleMs: number;
}

export const PROXY_LIMITS: ProxyLimits = {
  connections: 128,
  headerBytes: 16_384,
  bytes: 4 * 1024 ** 3,
  idleMs: 60_000,
};

export interface ProxyOptions extends AddressPolicy {
  limits: ProxyLimits;
  /** Answers plain requests for package registries itself. */
  openMirror?(hold: (socket: Socket) => Socket): RegistryMirror;
  onRequest(request: NetworkRequest): void;
}

/**
 * An HTTP proxy on a UNIX socket that goes to allowed hosts of the public internet and nowhere else.
 *
 * 1. Every request is checked by itself, also the one a redirect leads to: the client asks us for it like for any other.
 * 2. It connects to the very addresses that were checked.
 * 3. What is refused is answered with a reason and reported; so is what is allowed.
 * 4. When it is disposed of, no connection of it is left, and what was answered is reported.
 */
export class FilteringProxy implements AsyncDisposable {
  readonly #options: ProxyOptions;
  readonly #server: Server;
  readonly #traffic: Traffic;
  readonly #sockets = new Set<Socket>();
  readonly #mirror: RegistryMirror | undefined;
  /** Answers of the mirror that are not reported yet. */
  readonly #answering = new Map<ServerResponse, Promise<void>>();

  private constructor(options: ProxyOptions) {
    const { limits } = options;
    this.#options = options;
    this.#traffic = new Traffic(limits.bytes);
    this.#mirror = options.openMirror?.((socket) => this.#hold(socket));
    this.#server = createServer({
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.idleMs,
      requestTimeout: 0,
      keepAliveTimeout: 5_000,
      insecureHTTPParser: false,
    });
    this.#server.maxConnections = limits.connections;
    this.#server.timeout = limits.idleMs;
    this.#server.on("connection", (socket) => this.#hold(socket));
    this.#server.on("request", (request, answer) => void this.#answer(request, answer));
    this.#server.on("connect", (request, socket, head) => void this.#tunnel(request, socket, head));
    this.#server.on("upgrade", (request, socket) =>
      this.#refuseRaw(socket, this.#refusal(request, "a change of protocol")),
    );
    this.#server.on("clientError", (error, socket) => this.#malformed(error, socket));
    this.#server.on("drop", () => this.#report({ host: "", port: 0 }, "", "too many connections"));
  }

  /** `socket` is a path that nobody uses yet. */
  static async listen(socket: string, options: ProxyOptions): Promise<FilteringProxy> {
    const proxy = new FilteringProxy(options);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once("error", reject);
      proxy.#server.listen(socket, resolve);
    });
    return proxy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    // One without a head waits for somebody outside. Nobody hears it any more.
    for (const [answer, reported] of this.#answering) if (answer.headersSent) await reported;
  }

  async #answer(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { idleMs } = this.#options.limits;
    const target = readTarget(headOf(request));
    if (target.ok && !this.#traffic.isUsedUp && this.#mirror?.serves(target)) {
      await this.#answerFromMirror(this.#mirror, request, answer, target);
      return;
    }
    const choice = await this.#choose(request, target);
    if ("why" in choice) {
      answer.writeHead(403, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(choice.why);
      return;
    }
    try {
      const socket = this.#hold(await connectTo(choice.addresses, choice.port, idleMs));
      await forward(request, answer, { path: choice.path, socket, traffic: this.#traffic, idleMs });
    } catch (error) {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502, { connection: "close" }).end(unreachable(choice, error));
    }
  }

  async #answerFromMirror(
    mirror: RegistryMirror,
    request: IncomingMessage,
    answer: ServerResponse,
    target: Target & { ok: true },
  ): Promise<void> {
    const answered = mirror.answer(request, answer, target, this.#traffic).catch((error: unknown) => {
      answer.destroy();
      return error instanceof Error ? error.message : String(error);
    });
    const reported = answered.then((why) => this.#report(target, request.method ?? "", why));
    this.#answering.set(answer, reported);
    await reported;
    this.#answering.delete(answer);
  }

  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const { idleMs } = this.#options.limits;
    client.on("error", () => client.destroy());
    // Done at once: after the client has sent everything, nothing can be put back.
    if (head.length > 0) client.unshift(head);
    const target = readTarget(headOf(request));
    if (target.ok && !this.#traffic.isUsedUp && this.#mirror?.serves(target)) {
      this.#tunnelToMirror(this.#mirror, client, target);
      return;
    }
    const choice = await this.#choose(request, target);
    if ("why" in choice) {
      this.#refuseRaw(client, choice.why);
      return;
    }
    try {
      const server = this.#hold(await connectTo(choice.addresses, choice.port, idleMs));
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      splice(client, server, this.#traffic, idleMs);
    } catch (error) {
      client.end(rawAnswer("502 Bad Gateway", unreachable(choice, error)));
    }
  }

  /** Some clients ask for a tunnel also to where they speak plainly: the mirror answers at its end, as it does outside. */
  #tunnelToMirror(mirror: RegistryMirror, client: Duplex, target: Target & { ok: true }): void {
    const { headerBytes, idleMs } = this.#options.limits;
    const inner = createServer({ maxHeaderSize: headerBytes, headersTimeout: idleMs, requestTimeout: 0 });
    inner.on("clientError", (error, socket) => this.#malformed(error, socket));
    inner.on("request", (request, answer) => {
      const path = request.url ?? "";
      if (path.startsWith("/")) void this.#answerFromMirror(mirror, request, answer, { ...target, path });
      else answer.writeHead(400, { connection: "close" }).end();
    });
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    inner.emit("connection", client);
  }

  /** Checks and reports a request. Returns where to connect, or what to tell the client. */
  async #choose(request: IncomingMessage, target: Target): Promise<Chosen | { why: string }> {
    const method = request.method ?? "";
    const choice: Choice = !target.ok
      ? { why: target.why }
      : this.#traffic.isUsedUp
        ? { why: "the limit of bytes is reached" }
        : await chooseAddresses(this.#options, target);
    this.#report(target, method, "why" in choice ? choice.why : "");
    if (!target.ok || "why" in choice) return { why: explain(target, "why" in choice ? choice.why : "") };
    return { ...target, addresses: choice.addresses };
  }

  #refusal(request: IncomingMessage, why: string): string {
    const target = readTarget(headOf(request));
    this.#report(target, request.method ?? "", why);
    return explain(target, why);
  }

  #refuseRaw(client: Duplex, text: string): void {
    client.on("error", () => client.destroy());
    client.end(rawAnswer("403 Forbidden", text));
  }

  #malformed(error: Error & { code?: string }, client: Duplex): void {
    if (!client.writable || error.code === "ECONNRESET") {
      client.destroy();
      return;
    }
    const why = `the request cannot be read (${error.code ?? error.message})`;
    this.#report({ host: "", port: 0 }, "", why);
    client.end(rawAnswer("400 Bad Request", why));
  }

  #report({ host, port }: { host: string; port: number }, method: string, reason: string): void {
    this.#options.onRequest({ host, port, method, allowed: reason === "", reason });
  }

  #hold(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    return socket.once("close", () => this.#sockets.delete(socket));
  }
}

interface Chosen {
  host: string;
  port: number;
  path: string;
  addresses: string[];
}

const headOf = ({ method = "", url = "", rawHeaders }: IncomingMessage) => ({ method, url, rawHeaders });

const explain = ({ host, port }: { host: string; port: number }, why: string) =>
  `Miracle's sandbox refuses ${host}:${port}: ${why}\n`;

const unreachable = ({ host, port }: Chosen, error: unknown) =>
  `${host}:${port} cannot be reached: ${error instanceof Error ? error.message : String(error)}\n`;

const rawAnswer = (status: string, text: string) =>
  `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`;
