import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { faultIn } from "./attempt-fault.ts";
import { HttpPoster } from "./http-post.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  closers.push(() => server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const { signal } = new AbortController();
const post = (url: string, timeoutMs = 10_000, environment = {}) =>
  new HttpPoster(environment).post({ url, headers: { "x-test": "1" }, body: "größe" }, { signal, timeoutMs });
const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => faultIn(error)?.fault,
  );

async function drain(body: AsyncIterable<Uint8Array>): Promise<number> {
  let total = 0;
  for await (const chunk of body) total += chunk.length;
  return total;
}

test("sends the body with its true length and reads the answer", async () => {
  const url = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end(`${request.method} ${request.headers["content-length"]} ${Buffer.concat(chunks)}`);
  });
  const { body } = await post(url);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe("POST 7 größe");
});

test("a stream may last longer than the time-out as long as it is never silent for it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const pieces: ((text: string) => void)[] = [];
  const url = await serve((_, response) => {
    response.writeHead(200);
    pieces.push((text) => void response.write(text));
    response.write("0");
  });
  const { body } = await post(url, 1_000);
  const stream = body[Symbol.asyncIterator]();
  await stream.next();
  for (const text of ["1", "2", "3"]) {
    vi.advanceTimersByTime(900);
    pieces[0]?.(text);
    expect(Buffer.from((await stream.next()).value ?? []).toString()).toBe(text);
  }
  const next = stream.next();
  vi.advanceTimersByTime(1_001);
  expect(await faultOf(next)).toEqual({ type: "timeout", waitedMs: 1_000, phase: "stream" });
});

test("a cancelled request rejects with the reason, before and within the answer", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/v1") response.write("start");
    cancels.at(-1)?.abort(reason);
  });
  const reason = new Error("enough");
  const cancels: AbortController[] = [];
  for (const path of [url, `${url}/silent`]) {
    const cancel = new AbortController();
    cancels.push(cancel);
    const limits = { signal: cancel.signal, timeoutMs: 10_000 };
    const answered = new HttpPoster({}).post({ url: path, headers: {}, body: "" }, limits);
    await expect(answered.then(({ body }) => drain(body))).rejects.toBe(reason);
  }
});

test("follows no redirect", async () => {
  const url = await serve((_, response) => void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end());
  expect(await faultOf(post(url))).toMatchObject({ type: "status", status: 307 });
});

test("an answer without an end is cut off", async () => {
  const url = await serve((_, response) => {
    const piece = Buffer.alloc(1 << 20);
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", more);
    more();
  });
  expect(await faultOf(post(url).then(({ body }) => drain(body)))).toMatchObject({ type: "malformed" });
});

test("only the start of a long error is read", async () => {
  const url = await serve((_, response) => void response.writeHead(500).end("x".repeat(1 << 20)));
  const fault = await faultOf(post(url));
  expect(fault?.type === "status" && fault.body.length).toBe(16 * 1024);
});

test("goes through the proxy that the environment names", async () => {
  const seen: (string | undefined)[] = [];
  const proxy = await serve((request, response) => {
    seen.push(request.url);
    response.end("ok");
  });
  const environment = { HTTP_PROXY: proxy, NO_PROXY: "127.0.0.1" };
  await drain((await post("http://models.example/v1", 10_000, environment)).body);
  expect(seen).toEqual(["http://models.example/v1"]);
  await drain((await post(proxy, 10_000, environment)).body);
  expect(seen[1]).toBe("/v1");
});

test("one connection serves several requests", async () => {
  const sockets = new Set<unknown>();
  const url = await serve((request, response) => {
    sockets.add(request.socket);
    request.resume().on("end", () => response.end("ok"));
  });
  const poster = new HttpPoster({});
  for (const _ of [1, 2, 3]) {
    await drain((await poster.post({ url, headers: {}, body: "" }, { signal, timeoutMs: 10_000 })).body);
  }
  expect(sockets.size).toBe(1);
});
