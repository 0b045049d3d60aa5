import type { Companion } from "../companion.ts";

/** Where programs inside find the proxy. */
export const RELAY_PORT = 31_128;

/** Where the directory with the proxy's socket is mounted. */
export const SOCKET_DIRECTORY = "/run/miracle/network";
export const SOCKET_NAME = "proxy";

interface RelayInput extends Record<string, string | number> {
  port: number;
  socket: string;
}

/** Inside there is only the loopback. This listens there and passes every connection to the proxy's socket. */
export const relay: Companion<RelayInput> = {
  input: { port: RELAY_PORT, socket: `${SOCKET_DIRECTORY}/${SOCKET_NAME}` },
  main: ({ port, socket }, say) => {
    const { connect, createServer } = process.getBuiltinModule("node:net");
    const server = createServer({ allowHalfOpen: true }, (client) => {
      const proxy = connect({ path: socket, allowHalfOpen: true });
      client.pipe(proxy).pipe(client);
      client.on("error", () => proxy.destroy()).on("close", () => proxy.destroy());
      proxy.on("error", () => client.destroy()).on("close", () => client.destroy());
    });
    server.on("error", (error) => {
      say(`the relay to the network cannot listen: ${error.message}`);
      process.exit(1);
    });
    server.listen(port, "127.0.0.1", () => say("ready"));
  },
};
