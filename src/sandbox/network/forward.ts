import { type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import type { Traffic } from "../hosts/traffic.ts";

/** Headers that concern one connection only and are set anew for the next one. */
const HOP_BY_HOP = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Joins two connections until both directions have ended or one breaks. */
export function splice(client: Duplex, server: Socket, traffic: Traffic, idleMs: number): void {
  const end = () => {
    client.destroy();
    server.destroy();
  };
  let open = 2;
  const done = (error?: Error | null) => {
    open -= 1;
    if (error || open === 0) end();
  };
  pipeline(client, traffic.count(), server, done);
  pipeline(server, traffic.count(), client, done);
  // Traffic on one side is traffic on the other, so watching one side is enough.
  server.setTimeout(idleMs, end);
}

/** Forwards a plain request over an existing connection, and its answer back. Settles when both are done. */
export function forward(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { path, socket, traffic, idleMs }: { path: string; socket: Socket; traffic: Traffic; idleMs: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { method = "GET" } = incoming;
    const chunked = incoming.headers["transfer-encoding"] !== undefined;
    const headers = { ...endToEnd(incoming), ...(chunked && { "transfer-encoding": "chunked" }), connection: "close" };
    const outgoing = request({ method, path, headers, setHost: false, createConnection: () => socket });
    const stop = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(idleMs, () => stop(new Error("no answer in time")));
    answer.on("close", () => socket.destroy());
    outgoing.on("error", stop);
    outgoing.on("response", (response) => {
      try {
        answer.writeHead(response.statusCode ?? 502, endToEnd(response));
      } catch (error) {
        stop(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      pipeline(response, traffic.count(), answer, (error) => {
        // A response that has begun can no longer become an error message, so it is cut off.
        if (error) answer.destroy();
        resolve();
      });
    });
    pipeline(incoming, traffic.count(), outgoing, (error) => error && stop(error));
  });
}

/** The headers to forward, without those that `Connection` names. */
function endToEnd({ rawHeaders, headers }: IncomingMessage): Record<string, string | string[]> {
  const named = new Set((headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
  // Without these the other side could read another request than the one that was checked.
  named.delete("host");
  named.delete("content-length");
  const kept: Record<string, string[]> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (HOP_BY_HOP.has(name) || named.has(name)) continue;
    kept[name] = [...(kept[name] ?? []), rawHeaders[at + 1] ?? ""];
  }
  return Object.fromEntries(
    Object.entries(kept).map(([name, [only = "", ...more]]) => [name, more.length === 0 ? only : [only, ...more]]),
  );
}
