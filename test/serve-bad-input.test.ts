import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { Problem } from "../src/server/access/problem.ts";
import { type RawAnswer, ServedInProcess } from "./served-in-process.ts";

const WIDE = { limits: { rate: { perSecond: 100_000, burst: 100_000 } } };
const UNKNOWN_IDS: Record<string, string> = { "/approvals/{id}": "a0123456789" };
const JSON_BODY = { "content-type": "application/json" };

const Operation = z.object({ "x-scope": z.string().optional(), requestBody: z.unknown().optional() });
const Description = z.object({ openapi: z.string(), paths: z.record(z.string(), z.record(z.string(), Operation)) });

interface Described {
  method: string;
  path: string;
  scope: string | undefined;
  hasBody: boolean;
}

async function routesOf(server: ServedInProcess): Promise<Described[]> {
  const { paths } = Description.parse(JSON.parse((await server.ask("/openapi.json")).text));
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      scope: operation["x-scope"],
      hasBody: operation.requestBody !== undefined,
    })),
  );
}

/** A path with an id that has the right form and that nothing has. */
const withUnknownId = (path: string): string =>
  path
    .replace(/\{\w+\}/, UNKNOWN_IDS[path] ?? "t00000000000")
    .replace("{id}", "t00000000000")
    .replace(/\{\w+\}/, "1");

function expectProblem(answer: RawAnswer, status: number | number[], about: string, code?: string): void {
  expect([status].flat(), `${about}: ${answer.text}`).toContain(answer.status);
  expect(answer.headers["content-type"], about).toBe("application/problem+json");
  const problem = Problem.parse(JSON.parse(answer.text));
  expect(problem.status, about).toBe(answer.status);
  expect(problem.detail, about).toMatch(/^[^\n]+$/);
  if (code !== undefined) expect(problem.code, about).toBe(code);
}

test("every route refuses a wrong token, a narrow one, an unknown id, another origin and another host", async () => {
  const server = await ServedInProcess.start(WIDE);
  const admin = { authorization: `Bearer ${await server.token("admin")}` };
  const tokens: Record<string, string> = { read: await server.token("read"), approve: await server.token("approve") };
  const routes = await routesOf(server);
  expect(routes.length).toBeGreaterThan(40);
  for (const { method, path, scope, hasBody } of routes) {
    const about = `${method} ${path}`;
    const place = withUnknownId(path);
    const ask = (headers: Record<string, string>, at = place) => server.ask(at, { method, headers });
    expectProblem(await ask({ ...admin, origin: "http://evil.example" }), 403, about, "request.origin");
    expectProblem(await ask({ ...admin, origin: "null" }), 403, about, "request.origin");
    expectProblem(await ask({ ...admin, "sec-fetch-site": "cross-site" }), 403, about, "request.origin");
    expectProblem(await ask({ ...admin, host: "evil.example" }), 421, about, "request.host");
    expectProblem(await server.ask(place, { method: "DELETE", headers: admin }), 405, about, "request.method");
    if (scope === undefined) continue;
    expectProblem(await ask({}), 401, about, "token.needed");
    expectProblem(await ask({ authorization: "Bearer mt_wrong" }), 401, about, "token.needed");
    expectProblem(await ask({ authorization: "Basic Zmlyc3Q6" }), 401, about, "token.needed");
    const narrow = tokens[scope === "read" ? "approve" : "read"];
    expectProblem(await ask({ authorization: `Bearer ${narrow}` }), 403, about, "token.scope");
    if (!path.includes("{")) continue;
    if (!hasBody)
      expectProblem(await ask(admin), 404, about, path.startsWith("/agent") ? "agent.unknown" : "task.unknown");
    for (const trick of [
      "..%2f..%2fetc%2fpasswd",
      "%2e%2e%5c",
      "%00",
      "t'%20or%201=1",
      "t0",
      "%ff",
      "a".repeat(5000),
    ]) {
      const answer = await ask(admin, path.replace(/\{\w+\}/, trick));
      expectProblem(answer, [400, 404, 405, 422], `${about} ${trick.slice(0, 30)}`);
    }
    expectProblem(await ask(admin, `${place}?surprise=1`), 422, `${about}: an unknown parameter`);
  }
  expect(server.reported).toEqual([]);
});

test("every body that is too large, no JSON, of another kind or shape has its status and one line", async () => {
  const server = await ServedInProcess.start(WIDE);
  const headers = { authorization: `Bearer ${await server.token("admin")}`, ...JSON_BODY };
  for (const { method, path, hasBody } of await routesOf(server)) {
    if (method !== "POST") continue;
    const about = `${method} ${path}`;
    const send = (body: string, more: Record<string, string> = {}) =>
      server.ask(withUnknownId(path), { method, body, headers: { ...headers, ...more } });
    expectProblem(await send(`"${"x".repeat(1_000_001)}"`), 413, about, "request.too-large");
    expectProblem(await send("{"), 400, about, "request.json");
    expectProblem(await send("{}", { "content-type": "text/plain" }), 415, about, "request.media");
    for (const body of ["[]", "null", "7", '"text"', '{"surprise":1}']) expectProblem(await send(body), 422, about);
    if (!hasBody) continue;
    const value = fc.oneof(fc.integer(), fc.constant(null), fc.array(fc.string()), fc.object(), fc.constant(""));
    const names = fc.constantFrom(
      "goal",
      "directory",
      "message",
      "granted",
      "approved",
      "todo_list_id",
      "result",
      "status",
      "at",
      "ids",
      "__proto__",
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, value, { minKeys: 1 }), async (body) => {
        expectProblem(await send(JSON.stringify(body)), [400, 404, 422], `${about} ${JSON.stringify(body)}`);
      }),
      { numRuns: 30 },
    );
  }
  expect(await server.store.read.selectFrom("tasks").select("id").execute()).toEqual([]);
  expect(await server.store.read.selectFrom("jobs").selectAll().execute()).toEqual([]);
  expect(server.reported).toEqual([]);
});

test.each(["/etc", "..", "../project", "/", "", "project/../..", "PROJECT", "no-such"])(
  "a request cannot name a place by a path: %j",
  async (directory) => {
    const server = await ServedInProcess.start();
    const headers = { authorization: `Bearer ${await server.token("run")}`, ...JSON_BODY };
    const body = JSON.stringify({ goal: "say hello", directory });
    expectProblem(await server.ask("/tasks", { method: "POST", headers, body }), 400, directory, "directory.unknown");
    expect(await server.store.read.selectFrom("jobs").selectAll().execute()).toEqual([]);
  },
);

test("whoever asks too often is told to wait, and others are not", async () => {
  const server = await ServedInProcess.start({ limits: { rate: { perSecond: 0.001, burst: 3 } } });
  const [busy, other] = [await server.token("read"), await server.token("admin")];
  const ask = (token: string) => server.ask("/tasks", { headers: { authorization: `Bearer ${token}` } });
  for (let round = 0; round < 3; round += 1) expect((await ask(busy)).status).toBe(200);
  const refused = await ask(busy);
  expectProblem(refused, 429, "the fourth", "request.rate");
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await ask(other)).status).toBe(200);
});

test("a token that is removed ends at once", async () => {
  const server = await ServedInProcess.start();
  const headers = { authorization: `Bearer ${await server.token("read")}` };
  expect((await server.ask("/tasks", { headers })).status).toBe(200);
  await server.store.write(async (tx) => void (await tx.deleteFrom("tokens").execute()));
  expectProblem(await server.ask("/tasks", { headers }), 401, "removed");
});

test("without tokens only this machine can be listened to", async () => {
  await expect(ServedInProcess.start({ tokens: false, host: "0.0.0.0" })).rejects.toThrow("only this machine");
  const server = await ServedInProcess.start({ tokens: false });
  expect((await server.ask("/tasks")).status).toBe(200);
  expectProblem(await server.ask("/tasks", { headers: { origin: "http://evil.example" } }), 403, "a page elsewhere");
});

test("a host name counts only when the settings list it; an address always does", async () => {
  const server = await ServedInProcess.start({ names: ["miracle.example"] });
  const status = async (host: string) => (await server.ask("/health", { headers: { host } })).status;
  expect(await status("miracle.example:8000")).toBe(200);
  expect(await status("localhost:1")).toBe(200);
  expect(await status("192.168.1.5")).toBe(200);
  expect(await status("[::1]:8000")).toBe(200);
  for (const host of [
    "evil.example",
    "miracle.example.evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
  ])
    expect(await status(host), host).toBe(421);
});
