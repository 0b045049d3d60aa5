import { type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import type { Traffic } from "../hosts/traffic.ts";

/** What concerns one connection only, and is said anew on the next one. */
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

/** Two connections as one, until both directions have ended or one breaks. */
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
  // Whatever moves on one side moves on the other, so one of them is enough to watch.
  server.setTimeout(idleMs, end);
}

/** Sends a plain request on over a connection that is already made, and its answer back. Settles when that is over. */
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
        // What has begun cannot be turned into an error message any more: it breaks off.
        if (error) answer.destroy();
        resolve();
      });
    });
    pipeline(incoming, traffic.count(), outgoing, (error) => error && stop(error));
  });
}

/** The headers that go through, without those that `Connection` names. */
function endToEnd({ rawHeaders, headers }: IncomingMessage): Record<string, string | string[]> {
  const named = new Set((headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
  // Without these the other side would read another request than the one that was checked.
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
