import { expect, test } from "vitest";
import { age, count, elapsed, money, tokens } from "./amounts.ts";

test("money is exact where it is small and says when there is no price", () => {
  expect([money(0), money(1234), money(12_340_000), money(null)]).toEqual(["$0.00", "$0.0012", "$12.34", "no price"]);
});

test("tokens, times and counts are short", () => {
  expect([tokens(999), tokens(14_230), tokens(2_500_000)]).toEqual(["999 tokens", "14.2k tokens", "2.50M tokens"]);
  expect([elapsed(-5), elapsed(59_999), elapsed(62_000), elapsed(3_720_000)]).toEqual([
    "0s",
    "59s",
    "1m 02s",
    "1h 02m",
  ]);
  expect([age(0), age(3_600_000), age(5 * 86_400_000)]).toEqual(["just now", "1 h ago", "5 days ago"]);
  expect([count(1, "file"), count(1200, "file"), count(0, "entry", "entries")]).toEqual([
    "1 file",
    "1,200 files",
    "0 entries",
  ]);
});
