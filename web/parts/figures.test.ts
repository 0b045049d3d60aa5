import { expect, test } from "vitest";
import { ago, count, duration, money, percent, short } from "./figures.ts";

test("money has digits that say something, and no price is no zero", () => {
  expect([0, 420, 9_999, 10_000, 1_240_000].map(money)).toEqual(["$0", "$0.00042", "$0.010", "$0.01", "$1.24"]);
  expect(money(null)).toBe("no price");
});

test("durations are told in at most two units", () => {
  const told = [850, 4_200, 41_000, 200_000, 7_500_000, 273_600_000].map(duration);
  expect(told).toEqual(["850 ms", "4.2 s", "41 s", "3 min 20 s", "2 h 5 min", "3 d 4 h"]);
});

test("moments are told by how long ago they are, old ones by their day", () => {
  const now = Date.UTC(2026, 10, 16);
  expect([0, 30, 120, 7200, 3 * 86_400].map((seconds) => ago(now - seconds * 1000, now))).toEqual([
    "just now",
    "just now",
    "2 min ago",
    "2 h ago",
    "3 d ago",
  ]);
  expect(ago(Date.UTC(2026, 8, 1), now)).toBe("2026-09-01");
  expect(ago(now + 5000, now)).toBe("just now");
});

test("counts and shares are short", () => {
  expect([940, 12_400, 99_600, 999_600, 3_100_000].map(short)).toEqual(["940", "12.4k", "100k", "1.0M", "3.1M"]);
  expect([count(1, "test"), count(2, "test")]).toEqual(["1 test", "2 tests"]);
  expect([percent(0.755), percent(null)]).toEqual(["76 %", "–"]);
});
