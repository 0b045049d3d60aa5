import { connect, createServer, type Socket } from "node:net";

/** Stands between a client and its server, and cuts the line right after something was said by the client. */
export class CuttingProxy implements AsyncDisposable {
  /** The words at which the line is cut; undefined: never. */
  cutAfter: string | undefined;
  readonly #server;
  readonly #open = new Set<Socket>();
  #port = 0;

  private constructor(target: { host: string; port: number }) {
    this.#server = createServer((client) => {
      const server = connect(target.port, target.host);
      for (const socket of [client, server]) {
        this.#open.add(socket);
        socket.on("error", () => socket.destroy());
        socket.on("close", () => {
          this.#open.delete(socket);
          client.destroy();
          server.destroy();
        });
      }
      client.on("data", (chunk: Buffer) => {
        const isOver = this.cutAfter !== undefined && chunk.includes(this.cutAfter);
        // Flushed to the server first, so that it does what it was told.
        server.write(chunk, () => {
          if (!isOver) return;
          client.destroy();
          server.end();
        });
      });
      server.on("data", (chunk) => client.write(chunk));
    });
  }

  static async start(target: { host: string; port: number }): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    const address = proxy.#server.address();
    proxy.#port = typeof address === "object" && address ? address.port : 0;
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
