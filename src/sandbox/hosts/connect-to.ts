import { connect, type Socket } from "node:net";

/** A connection to the first of these addresses that answers. */
export async function connectTo(addresses: string[], port: number, timeoutMs: number): Promise<Socket> {
  let refused: unknown = new Error("there is no address");
  for (const address of addresses) {
    try {
      return await connectOnce(address, port, timeoutMs);
    } catch (error) {
      refused = error;
    }
  }
  throw refused;
}

function connectOnce(host: string, port: number, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true, autoSelectFamily: false });
    const timer = setTimeout(() => socket.destroy(new Error("no answer in time")), timeoutMs);
    socket.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.removeAllListeners("error");
      resolve(socket);
    });
  });
}
