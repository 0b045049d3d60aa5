import { expect, test } from "vitest";
import { isLoopback, isOwnHost, isOwnOrigin } from "./own-address.ts";
import { statusOf } from "./problem.ts";
import { RateLimit } from "./rate-limit.ts";
import { mayDo } from "./tokens.ts";

test.each(["localhost", "LOCALHOST:80", "127.0.0.1:8000", "[::1]:8000", "10.1.2.3", "mine.example:1"])(
  "%s is a name of this server",
  (host) => expect(isOwnHost(host, ["Mine.example"])).toBe(true),
);

test.each([undefined, "", "evil.example", "localhost@evil.example", "evil.example#localhost", "127.0.0.1.nip.example"])(
  "%s is none",
  (host) => expect(isOwnHost(host, ["mine.example"])).toBe(false),
);

test("a page may ask when it is our own; a program says nothing of pages", () => {
  const host = "localhost:8000";
  const from = (origin?: string, fetchSite?: string) => isOwnOrigin({ host, origin, fetchSite });
  expect(from()).toBe(true);
  expect(from("http://localhost:8000", "same-origin")).toBe(true);
  expect(from(undefined, "none")).toBe(true);
  expect(from("http://localhost:3000")).toBe(false);
  expect(from(undefined, "same-site")).toBe(false);
  expect(from("null")).toBe(false);
  expect(from("nonsense")).toBe(false);
});

test("loopback is what no other machine reaches", () => {
  expect(["localhost", "127.0.0.1", "127.9.9.9", "::1"].every(isLoopback)).toBe(true);
  expect(["0.0.0.0", "::", "127.0.0.1.example", "10.0.0.1", "myhost"].some(isLoopback)).toBe(false);
});

test("an allowance is used up, fills up with time, and is each caller's own", () => {
  let now = 0;
  const rate = new RateLimit({ perSecond: 2, burst: 2 }, () => now);
  expect([rate.take("a"), rate.take("a"), rate.take("a")]).toEqual([0, 0, 1]);
  expect(rate.take("b")).toBe(0);
  now = 500;
  expect([rate.take("a"), rate.take("a")]).toEqual([0, 1]);
  now = 60_000;
  expect([rate.take("a"), rate.take("a"), rate.take("a")]).toEqual([0, 0, 1]);
});

test("admin may do everything, others what they have", () => {
  expect(mayDo({ scopes: ["admin"] }, "approve")).toBe(true);
  expect(mayDo({ scopes: ["read", "run"] }, "run")).toBe(true);
  expect(mayDo({ scopes: ["read"] }, "run")).toBe(false);
});

test("a failure has the status that says whose matter it is", () => {
  expect(statusOf({ kind: "invalid-input", code: "task.unknown" })).toBe(404);
  expect(statusOf({ kind: "invalid-input", code: "task.settled" })).toBe(409);
  expect(statusOf({ kind: "invalid-input", code: "config.wrong" })).toBe(400);
  expect(statusOf({ kind: "environment", code: "model.no-key" })).toBe(503);
  expect(statusOf({ kind: "policy", code: "any" })).toBe(403);
});
