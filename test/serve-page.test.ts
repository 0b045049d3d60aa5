import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ServedInProcess } from "./served-in-process.ts";
import { temporaryDirectory } from "./temporary.ts";

const JSON_BODY = { "content-type": "application/json" };

/** The cookie that signing in sets, as a browser sends it back. */
async function signIn(server: ServedInProcess, token: string): Promise<{ cookie: string; set: string }> {
  const headers = { ...JSON_BODY, origin: server.origin };
  const answer = await server.ask("/session", { method: "POST", headers, body: JSON.stringify({ token }) });
  expect(answer.status).toBe(201);
  const [set = ""] = answer.headers["set-cookie"] ?? [];
  return { cookie: set.split(";")[0] ?? "", set };
}

test("a page signs in with a token, and its cookie speaks for it, out of reach for scripts and other sites", async () => {
  const server = await ServedInProcess.start();
  const { cookie, set } = await signIn(server, await server.token("read", "run"));
  expect(set).toMatch(/^miracle_session\d+=ms_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
  const session = await server.ask("/session", { headers: { cookie } });
  expect(JSON.parse(session.text)).toMatchObject({ name: "read-run", scopes: ["read", "run"], version: "0.0.0" });
  const rows = await server.store.read.selectFrom("sessions").selectAll().execute();
  expect(JSON.stringify(rows), "only a hash is kept").not.toContain(cookie.split("=")[1]);
});

test("what changes something by cookie must say that it comes from our own page", async () => {
  const server = await ServedInProcess.start();
  const { cookie } = await signIn(server, await server.token("run"));
  const post = async (headers: Record<string, string>) => {
    const body = JSON.stringify({ goal: "say hello", directory: "nowhere" });
    const answer = await server.ask("/tasks", { method: "POST", headers: { ...JSON_BODY, cookie, ...headers }, body });
    return JSON.parse(answer.text).code;
  };
  expect(await post({})).toBe("request.origin");
  expect(await post({ origin: "http://127.0.0.1:1" })).toBe("request.origin");
  expect(await post({ origin: server.origin, "sec-fetch-site": "same-site" })).toBe("request.origin");
  expect(await post({ origin: server.origin, "sec-fetch-site": "same-origin" })).toBe("directory.unknown");
});

test("a session ends by signing out, with its token and with time; a wrong token opens none", async () => {
  const server = await ServedInProcess.start();
  const first = await signIn(server, await server.token("read"));
  const second = await signIn(server, await server.token("admin"));
  const status = async (cookie: string) => (await server.ask("/session", { headers: { cookie } })).status;
  const out = { method: "POST", headers: { cookie: first.cookie, origin: server.origin } };
  expect((await server.ask("/session/end", out)).headers["set-cookie"]?.[0]).toContain("Max-Age=0");
  expect(await status(first.cookie)).toBe(401);
  expect(await status(second.cookie)).toBe(200);
  await server.store.write(async (tx) => void (await tx.updateTable("sessions").set({ expires_at: 1 }).execute()));
  expect(await status(second.cookie)).toBe(401);
  const third = await signIn(server, await server.token("read", "admin"));
  await server.store.write(async (tx) => void (await tx.deleteFrom("tokens").execute()));
  expect(await status(third.cookie)).toBe(401);
  const body = JSON.stringify({ token: "mt_wrong" });
  expect((await server.ask("/session", { method: "POST", headers: JSON_BODY, body })).status).toBe(401);
});

test("the page is served from its own files alone, under a strict policy", async () => {
  const page = join(temporaryDirectory("miracle-page-"), "web");
  mkdirSync(join(page, "assets"), { recursive: true });
  writeFileSync(join(page, "index.html"), "<!doctype html><title>Miracle</title>");
  writeFileSync(join(page, "assets", "app-1.js"), "export {};");
  symlinkSync("/etc/passwd", join(page, "leak.txt"));
  const server = await ServedInProcess.start({ page });
  const root = await server.ask("/");
  expect(root).toMatchObject({ status: 200, text: expect.stringContaining("<title>Miracle") });
  expect(root.headers["content-type"]).toBe("text/html; charset=utf-8");
  const policy = String(root.headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect(await server.ask("/", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  const script = await server.ask("/assets/app-1.js");
  expect(script.headers["content-type"]).toContain("text/javascript");
  expect(script.headers["cache-control"]).toContain("immutable");
  for (const path of ["/leak.txt", "/../package.json", "/..%2fpackage.json", "/assets", "/assets/", "//index.html"]) {
    expect((await server.ask(path)).status, path).toBe(404);
  }
});

test("a link to the page may stand anywhere, but nothing else may be reached from another site", async () => {
  const server = await ServedInProcess.start();
  const visit = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
  const root = await server.ask("/", { headers: visit });
  expect(root).toMatchObject({ status: 200, text: expect.stringContaining("not built") });
  expect((await server.ask("/health", { headers: visit })).status).toBe(403);
  expect((await server.ask("/", { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
});

test("a request keeps the id it came with, also when it is refused", async () => {
  const server = await ServedInProcess.start();
  const ids = async (headers: Record<string, string>, path = "/health") =>
    (await server.ask(path, { headers })).headers["x-request-id"];
  expect(await ids({ "x-request-id": "abc-1" })).toBe("abc-1");
  expect(await ids({ "x-request-id": "abc-1" }, "/tasks")).toBe("abc-1");
  const trace = "0af7651916cd43dd8448eb211c80319c";
  expect(await ids({ traceparent: `00-${trace}-b7ad6b7169203331-01` })).toBe(trace);
  expect(await ids({ "x-request-id": "a b\tc" })).toMatch(/^r[0-9a-f]{20}$/);
});
