import { expect, test } from "vitest";
import { askedDelay, retryDelay } from "./retry-delay.ts";

const retry = { attempts: 5, baseMs: 1000, maxMs: 5000, requestTimeoutMs: 1 };

test("pauses double up to the limit and are spread from zero to there", () => {
  expect([1, 2, 3, 4, 10].map((attempt) => retryDelay(attempt, undefined, retry, () => 0.999_999_9))).toEqual([
    999, 1999, 3999, 4999, 4999,
  ]);
  expect(retryDelay(4, undefined, retry, () => 0)).toBe(0);
});

test("the server's wish stands over ours, unless it is too long to wait", () => {
  expect(retryDelay(1, 60_000, retry, () => 0)).toBe(60_000);
  expect(retryDelay(1, 301_000, retry, () => 0)).toBeNull();
});

test("a wish that cannot be read is none", () => {
  for (const value of ["soon", "", "-5", "1e9x"]) expect(askedDelay({ "retry-after": value }, 0)).toBeUndefined();
  expect(askedDelay({}, 0)).toBeUndefined();
  expect(askedDelay({ "retry-after": "0.25" }, 0)).toBe(250);
  expect(askedDelay({ "retry-after": "Thu, 01 Jan 1970 00:00:01 GMT" }, 5_000)).toBe(0);
});
