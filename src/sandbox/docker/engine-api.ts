import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { unavailable } from "../explain.ts";

export interface Answer {
  status: number;
  body: unknown;
}

const LARGEST_ANSWER = 4 * 1024 * 1024;

/** The HTTP interface of a container engine (Docker, or podman's compatible one) on a UNIX socket. */
export class EngineApi {
  readonly socketPath: string;

  constructor(socketPath: string) {
    this.socketPath = socketPath;
  }

  /** Sends one request. The caller judges the status. Throws if the engine cannot be reached. */
  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const { request } = await import("node:http");
    const raw = Buffer.isBuffer(body);
    const content = body === undefined ? undefined : raw ? body : Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          socketPath: this.socketPath,
          // No version in the path means the engine's newest: a fixed one is too new for old engines or too old for new
          // ones.
          path,
          method,
          headers: {
            host: "engine",
            ...(content && {
              "content-type": raw ? "application/x-tar" : "application/json",
              "content-length": content.length,
            }),
          },
        },
        (response) => read(response).then(resolve, reject),
      );
      sent.once("error", (error) => reject(unreachable(this.socketPath, error)));
      sent.end(content);
    });
  }

  /** Like `send`, for requests that must succeed. */
  async demand(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.send(method, path, body);
    if (answer.status < 400) return answer.body;
    throw unavailable(`the container engine refused ${method} ${path.split("?")[0]}: ${messageOf(answer)}`);
  }

  /** The raw connection to a container's streams. */
  async attach(container: string, stdin: boolean): Promise<Socket> {
    const { request } = await import("node:http");
    const path = `/containers/${container}/attach?stream=1&stdout=1&stderr=1${stdin ? "&stdin=1" : ""}`;
    return new Promise((resolve, reject) => {
      const sent = request({
        socketPath: this.socketPath,
        path,
        method: "POST",
        headers: { host: "engine", connection: "Upgrade", upgrade: "tcp" },
      });
      sent.once("upgrade", (_response, socket: Socket, head: Buffer) => {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      });
      sent.once("response", (response) => {
        read(response).then(
          (answer) => reject(unavailable(`no streams of the container: ${messageOf(answer)}`)),
          reject,
        );
      });
      sent.once("error", (error) => reject(unreachable(this.socketPath, error)));
      sent.end();
    });
  }
}

export function messageOf({ status, body }: Answer): string {
  if (typeof body === "object" && body !== null && "message" in body) return String(body.message);
  return typeof body === "string" && body !== "" ? body.slice(0, 400) : `status ${status}`;
}

async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > LARGEST_ANSWER) throw new Error("the container engine sends too much");
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  return { status: response.statusCode ?? 0, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

function unreachable(socketPath: string, cause: Error): Error {
  const code = "code" in cause ? String(cause.code) : cause.message;
  const advice =
    code === "EACCES"
      ? "you may not use it: join its group (`sudo usermod -aG docker $USER`, then log in again)"
      : "start it (`sudo systemctl start docker`), or name its socket in DOCKER_HOST";
  return Object.assign(unavailable(`no container engine answers at ${socketPath} (${code}): ${advice}`), { cause });
}
