import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseHostRule } from "../hosts/host-rule.ts";
import { publicAddresses } from "../hosts/public-address.ts";
import type { NetworkRequest } from "../sandbox.ts";
import { FilteringProxy, PROXY_LIMITS, type ProxyOptions } from "./filtering-proxy.ts";

let directory: string;
let upstream: Server;
let port: number;
let seen: { method: string | undefined; url: string | undefined; headers: IncomingMessage["headers"]; body: string }[];
let reports: NetworkRequest[];
const open: AsyncDisposable[] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "miracle-proxy-"));
  seen = [];
  reports = [];
  upstream = createHttpServer(async (request, answer) => {
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: await text(request) });
    const away = url === "/away" ? { location: "http://internal.test/secret" } : {};
    answer.writeHead(url === "/away" ? 302 : 200, { "x-upstream": "yes", ...away });
    answer.end(url === "/large" ? "x".repeat(100_000) : `answer to ${method} ${url}`);
  });
  port = await listening(upstream);
});

afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
  upstream.closeAllConnections();
  upstream.close();
  rmSync(directory, { recursive: true });
});

async function listening(server: Server | ReturnType<typeof createTcpServer>, host = "127.0.0.1"): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? (address satisfies AddressInfo).port : 0;
}

/** A proxy for which the loopback counts as public: the one thing that only a test can say. */
async function proxy(options: Partial<ProxyOptions> = {}): Promise<string> {
  const socket = join(directory, `proxy-${open.length}`);
  const made = await FilteringProxy.listen(socket, {
    rules: [parseHostRule(`example.test:${port}`)],
    resolve: async () => ["127.0.0.1"],
    isPublic: () => true,
    limits: PROXY_LIMITS,
    onRequest: (request) => reports.push(request),
    ...options,
  });
  open.push(made);
  return socket;
}

/** Sends bytes and gives back everything that comes until the other side has ended. */
async function exchange(socket: string, bytes: string): Promise<string> {
  const client = connect(socket);
  client.on("error", () => {});
  client.write(bytes, "latin1");
  return await text(client);
}

const get = (path = "/", host = `example.test:${port}`) =>
  `GET http://${host}${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

describe("the filtering proxy", () => {
  test("brings a plain request to an allowed host, and its answer back", async () => {
    const answer = await exchange(await proxy(), get("/a?b=c"));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toContain("x-upstream: yes");
    expect(answer).toContain("answer to GET /a?b=c");
    expect(seen).toMatchObject([{ method: "GET", url: "/a?b=c", headers: { host: `example.test:${port}` } }]);
    expect(reports).toEqual([{ host: "example.test", port, method: "GET", allowed: true, reason: "" }]);
  });

  test.each([
    ["of a known length", "Content-Length: 5\r\n\r\nhello"],
    ["in chunks", "Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"],
  ])("sends a body on %s", async (_name, rest) => {
    const host = `example.test:${port}`;
    const head = `POST http://${host}/form HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;
    expect(await exchange(await proxy(), head + rest)).toContain("answer to POST /form");
    expect(seen).toMatchObject([{ body: "hello" }]);
  });

  test("keeps to itself what concerns one connection only", async () => {
    const host = `example.test:${port}`;
    const own = "Proxy-Authorization: Basic eDp5\r\nX-Hop: 1\r\nTE: trailers\r\nConnection: close, x-hop, host\r\n";
    await exchange(await proxy(), `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n${own}X-End: 2\r\n\r\n`);
    expect(seen[0]?.headers).toEqual({ host, "x-end": "2", connection: "close" });
  });

  test("tunnels in both directions, and ends with the other side", async () => {
    const server = createTcpServer({ allowHalfOpen: true }, async (socket) => {
      socket.end(`got ${await text(socket)}`);
    });
    const tcp = await listening(server);
    const socket = await proxy({ rules: [parseHostRule(`example.test:${tcp}`)] });
    const client = connect({ path: socket, allowHalfOpen: true });
    client.write(`CONNECT example.test:${tcp} HTTP/1.1\r\nHost: example.test:${tcp}\r\n\r\nfirst, `);
    client.end("second");
    expect(await text(client)).toBe("HTTP/1.1 200 Connection Established\r\n\r\ngot first, second");
    expect(reports).toMatchObject([{ method: "CONNECT", allowed: true }]);
    server.close();
  });

  test("refuses a host that is not on the list, and says so to both sides", async () => {
    const socket = await proxy();
    const reason = "not on the list of allowed hosts";
    expect(await exchange(socket, get("/", "other.test"))).toMatch(
      /403 Forbidden[\s\S]*refuses other\.test:80: not on/,
    );
    expect(await exchange(socket, "CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 403 [\s\S]*refuses other\.test:443/,
    );
    expect(reports).toEqual([
      { host: "other.test", port: 80, method: "GET", allowed: false, reason },
      { host: "other.test", port: 443, method: "CONNECT", allowed: false, reason },
    ]);
    expect(seen).toEqual([]);
  });

  test("checks every request of a connection, also the one a redirect leads to", async () => {
    const host = `example.test:${port}`;
    const first = `GET http://${host}/away HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const answers = await exchange(await proxy(), first + get("/secret", "internal.test"));
    expect(answers).toMatch(/^HTTP\/1\.1 302 [\s\S]*HTTP\/1\.1 403 [\s\S]*refuses internal\.test:80/);
    expect(reports.map(({ host: name, allowed }) => `${name} ${allowed}`).sort()).toEqual([
      "example.test true",
      "internal.test false",
    ]);
  });

  test.each([
    ["the loopback", ["127.0.0.1"]],
    ["a cloud's metadata", ["169.254.169.254"]],
    ["a private address among public ones", ["93.184.216.34", "10.0.0.1"]],
    ["IPv4 in IPv6", ["::ffff:127.0.0.1"]],
  ])("refuses an allowed name whose address is %s", async (_name, addresses) => {
    const socket = await proxy({ resolve: async () => addresses, isPublic: publicAddresses() });
    expect(await exchange(socket, get())).toContain("403 Forbidden");
    expect(await exchange(socket, `CONNECT example.test:${port} HTTP/1.1\r\nHost: example.test\r\n\r\n`)).toContain(
      "403",
    );
    expect(reports.map(({ reason }) => reason)).toEqual(Array(2).fill("its address is not one of the public internet"));
    expect(seen).toEqual([]);
  });

  test("refuses an allowed address that is not public", async () => {
    const socket = await proxy({ rules: [parseHostRule(`127.0.0.1:${port}`)], isPublic: publicAddresses() });
    expect(await exchange(socket, get("/", `127.0.0.1:${port}`))).toContain("403 Forbidden");
    expect(seen).toEqual([]);
  });

  test("connects to the very address it checked, whatever the name says next", async () => {
    const answers = [["127.0.0.1"], ["127.0.0.2"]];
    const checked: string[] = [];
    const isPublic = (address: string) => checked.push(address) > 0;
    const socket = await proxy({ resolve: async () => answers.shift() ?? [], isPublic });
    expect(await exchange(socket, get("/one"))).toContain("answer to GET /one");
    expect(checked).toEqual(["127.0.0.1"]);
    expect(answers).toEqual([["127.0.0.2"]]);
  });

  test("refuses a name without an address", async () => {
    const socket = await proxy({ resolve: async () => Promise.reject(new Error("ENOTFOUND")) });
    expect(await exchange(socket, get())).toContain("its name has no address");
  });

  test("says when an allowed host does not answer", async () => {
    const free = createTcpServer();
    const closed = await listening(free);
    await new Promise((resolve) => free.close(resolve));
    const socket = await proxy({ rules: [parseHostRule(`example.test:${closed}`)] });
    expect(await exchange(socket, get("/", `example.test:${closed}`))).toMatch(/^HTTP\/1\.1 502 [\s\S]*ECONNREFUSED/);
    expect(await exchange(socket, `CONNECT example.test:${closed} HTTP/1.1\r\nHost: example.test\r\n\r\n`)).toMatch(
      / 502 /,
    );
  });

  const tricks: [string, (host: string) => string][] = [
    [
      "two lengths",
      (host) => `POST http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    ],
    [
      "the same length twice",
      (host) => `POST http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1, 1\r\n\r\na`,
    ],
    [
      "a length beside chunks",
      (host) =>
        `POST http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET`,
    ],
    [
      "chunks that are none",
      (host) => `POST http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      "a bare CR in a header",
      (host) => `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nX: a\rHost: evil.test\r\n\r\n`,
    ],
    ["a space before the colon", (host) => `GET http://${host}/ HTTP/1.1\r\nHost : ${host}\r\n\r\n`],
    ["a NUL in a header", (host) => `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nX: a\0b\r\n\r\n`],
    ["two Hosts", (host) => `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nHost: ${host}\r\n\r\n`],
    ["a Host that is not the target", (host) => `GET http://${host}/ HTTP/1.1\r\nHost: other.test\r\n\r\n`],
    ["a path alone", (host) => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    [
      "an upgrade",
      (host) => `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    ],
    ["HTTP/2 without a handshake", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["HTTP/0.9", (host) => `GET http://${host}/\r\n\r\n`],
    ["TRACE", (host) => `TRACE http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    [
      "a header without end",
      (host) => `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
    ],
    ["TLS", () => "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"],
  ];
  test.each(tricks)("does not let %s through", async (_name, request) => {
    const answer = await exchange(await proxy(), request(`example.test:${port}`));
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).not.toContain("x-upstream");
    expect(seen).toEqual([]);
    expect(reports.every(({ allowed, reason }) => !allowed && reason !== "")).toBe(true);
    expect(reports).not.toHaveLength(0);
  });

  test("lets no more through than its limit of bytes", async () => {
    const socket = await proxy({ limits: { ...PROXY_LIMITS, bytes: 50_000 } });
    expect((await exchange(socket, get("/large"))).length).toBeLessThan(60_000);
    expect(await exchange(socket, get())).toContain("the limit of bytes is reached");
    expect(reports.map(({ allowed }) => allowed)).toEqual([true, false]);
  });

  test("serves no more connections at once than its limit", async () => {
    const socket = await proxy({ limits: { ...PROXY_LIMITS, connections: 1 } });
    const first = connect(socket);
    await once(first, "connect");
    const second = connect(socket);
    second.on("error", () => {});
    await once(second, "close");
    expect(reports).toMatchObject([{ allowed: false, reason: "too many connections" }]);
    first.destroy();
  });

  test.each([
    ["plain", () => `GET http://example.test:${port}/ HTTP/1.1\r\n`],
    ["tunnelled", () => `CONNECT example.test:${port} HTTP/1.1\r\nHost: example.test\r\n\r\n`],
  ])("ends a %s connection on which nothing moves", async (_name, request) => {
    const socket = await proxy({ limits: { ...PROXY_LIMITS, idleMs: 100 } });
    const client = connect(socket);
    client.on("error", () => {});
    client.write(request());
    client.resume();
    await once(client, "close");
  });

  test("leaves no connection behind", async () => {
    const accepted = once(upstream, "connection");
    const socket = await proxy();
    const client = connect(socket);
    client.on("error", () => {});
    client.write(`CONNECT example.test:${port} HTTP/1.1\r\nHost: example.test\r\n\r\n`);
    const [server]: Socket[] = await accepted;
    const gone = server && once(server, "close");
    await open.pop()?.[Symbol.asyncDispose]();
    await gone;
    await expect(exchange(socket, get())).rejects.toThrow("ENOENT");
  });
});
