import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type AddressPolicy, chooseAddresses } from "../hosts/choose-address.ts";
import { connectTo } from "../hosts/connect-to.ts";
import { isPlain } from "./registry.ts";
import type { AskRegistry } from "./registry-mirror.ts";

/** Secures a connection so that only the registry itself can answer. */
export type Secure = (socket: Socket, host: string) => Promise<Duplex>;

export interface AskingParts extends AddressPolicy {
  idleMs: number;
  secure: Secure;
  hold(socket: Socket): Socket;
}

/**
 * Asks the registry over an encrypted connection to one of its public addresses. An index that the person's own settings
 * name may stand at a private address, and without encryption if they say so.
 */
export function askRegistry({ idleMs, secure, hold, ...policy }: AskingParts): AskRegistry {
  return async ({ host, securePort: port, own }, path, headers) => {
    const isNamed = own.length > 0;
    const choice = await chooseAddresses(isNamed ? { ...policy, isPublic: () => true } : policy, { host, port });
    if ("why" in choice) throw new Error(choice.why);
    const { request } = await import("node:http");
    const socket = hold(await connectTo(choice.addresses, port, idleMs));
    // The limit also covers the time in which the other side proves its identity.
    socket.setTimeout(idleMs, () => socket.destroy(new Error("no answer in time")));
    const connection = own.some(isPlain) ? socket : await secure(socket, host);
    return new Promise<IncomingMessage>((resolve, reject) => {
      const name = port === 443 || (port === 80 && own.some(isPlain)) ? host : `${host}:${port}`;
      const options = { method: "GET", path, headers: { ...headers, host: name, connection: "close" } };
      const outgoing = request({ ...options, createConnection: () => connection }, resolve);
      outgoing.once("error", (error) => {
        socket.destroy();
        reject(error);
      });
      outgoing.end();
    });
  };
}

export const secureByTls: Secure = async (socket, host) => {
  const { connect } = await import("node:tls");
  return new Promise((resolve, reject) => {
    const secured = connect({ socket, servername: host }, () => resolve(secured));
    // The listener stays: later errors are reported by the answer that is being read.
    secured.on("error", reject);
    secured.once("close", () => reject(new Error("it hung up")));
  });
};
