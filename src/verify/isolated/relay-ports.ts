import type { Server, Socket } from "node:net";
import type { Frame, Send } from "./frames.ts";

interface RelayedPorts {
  /** Tells the other side what has begun or ceased to listen here. */
  scan(): void;
  /** Frames about ports and connections; settles when what they ask for is there. */
  receive(frame: Frame): Promise<void>;
}

/**
 * Makes two sandboxes without a network one machine, as far as TCP goes: whatever listens on one side can be connected to
 * at the same address on the other. Runs inside, on both sides; `first` is 1 on one and 2 on the other.
 */
export function relayPorts(send: Send, first: 1 | 2): RelayedPorts {
  const { connect, createServer } = process.getBuiltinModule("node:net");
  const { readFileSync } = process.getBuiltinModule("node:fs");
  /** Listens here for the other side. */
  const standIns = new Map<string, Server>();
  const told = new Set<string>();
  const open = new Map<number, { socket: Socket; endedHere: boolean; endedThere: boolean }>();
  let next = first;

  const LISTENS = "0A";
  const ANY = /^0+$/;
  /** As the kernel writes it: words of four bytes, each turned round. */
  function hostOf(hex: string): string {
    const last = hex.slice(-8);
    const four = [6, 4, 2, 0].map((at) => Number.parseInt(last.slice(at, at + 2), 16)).join(".");
    if (hex.length === 8) return four;
    if (ANY.test(hex)) return "::";
    if (/^0{16}FFFF0000/.test(hex)) return four;
    return /^0{24}01000000$/.test(hex) ? "::1" : "::";
  }
  function listening(): string[] {
    return ["tcp", "tcp6"].flatMap((name) => {
      try {
        const lines = readFileSync(`/proc/net/${name}`, "latin1").split("\n").slice(1);
        return lines.flatMap((line) => {
          const [, local = "", , state] = line.trim().split(/\s+/);
          const [address = "", port = ""] = local.split(":");
          return state === LISTENS ? [`${hostOf(address)} ${Number.parseInt(port, 16)}`] : [];
        });
      } catch {
        return []; // a kernel without IPv6
      }
    });
  }
  function placeOf(key: string): { host: string; port: number } {
    const [host = "", port = ""] = key.split(" ");
    return { host, port: Number(port) };
  }

  function attach(channel: number, socket: Socket): void {
    const connection = { socket, endedHere: false, endedThere: false };
    open.set(channel, connection);
    socket.on("data", (chunk) => send("data", channel, chunk));
    socket.on("end", () => {
      connection.endedHere = true;
      send("end", channel);
    });
    socket.on("error", () => {}); // `close` follows
    socket.on("close", () => {
      const isNews = open.delete(channel) && !(connection.endedHere && connection.endedThere);
      if (isNews) send("break", channel);
    });
  }
  function standIn(key: string): Promise<void> {
    return new Promise((resolve) => {
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        const channel = next;
        next += 2;
        send("connect", channel, key);
        attach(channel, socket);
      });
      standIns.set(key, server);
      // Taken here: whoever connects reaches what has it, as on one machine.
      server.on("error", () => resolve()).on("listening", () => resolve());
      server.listen(placeOf(key));
    });
  }

  return {
    scan() {
      const now = new Set(listening().filter((key) => !standIns.has(key)));
      for (const key of now) if (!told.has(key)) send("listen", 0, key);
      for (const key of told) if (!now.has(key)) send("unlisten", 0, key);
      told.clear();
      for (const key of now) told.add(key);
    },
    async receive({ kind, channel, payload }) {
      const connection = open.get(channel);
      if (kind === "listen") await standIn(payload.toString());
      else if (kind === "unlisten") {
        standIns.get(payload.toString())?.close();
        standIns.delete(payload.toString());
      } else if (kind === "connect") {
        const { host, port } = placeOf(payload.toString());
        const local = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
        attach(channel, connect({ host: local, port, allowHalfOpen: true }));
      } else if (kind === "data") connection?.socket.write(payload);
      else if (kind === "end" && connection) {
        connection.endedThere = true;
        connection.socket.end();
      } else if (kind === "break" && connection) {
        open.delete(channel);
        connection.socket.destroy();
      }
    },
  };
}
