import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, posix } from "node:path";

/** The name under which packages are asked for. */
export const WHEELS_HOST = "wheels.test";

export interface WheelIndex extends AsyncDisposable {
  port: number;
}

/** An index of Python's on loopback: `simple/NAME/index.html` and the files that it names, from a folder. */
export async function serveWheels(folder: string): Promise<WheelIndex> {
  const server = createServer((request, answer) => {
    const path = posix.normalize(decodeURIComponent((request.url ?? "/").split("?")[0] ?? "/"));
    const file = path.endsWith("/") ? `${path}index.html` : path;
    try {
      const body = readFileSync(join(folder, file));
      answer.writeHead(200, { "content-type": file.endsWith(".html") ? "text/html" : "application/octet-stream" });
      answer.end(body);
    } catch {
      answer.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
