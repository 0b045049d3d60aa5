import fc from "fast-check";
import { expect, test } from "vitest";
import { Price } from "../domain/settings/settings.ts";
import { amountOf, priceOf, worstCase } from "./prices.ts";

const prices = {
  "openai/*": { input: 1, output: 2 },
  "openai/small*": { input: 3, output: 4 },
  "openai/small-exact": { input: 5, output: 6 },
};

test("the exact name wins, then the longest pattern that fits", () => {
  expect(priceOf("openai/small-exact", prices)?.input).toBe(5);
  expect(priceOf("openai/small-other", prices)?.input).toBe(3);
  expect(priceOf("openai/large", prices)?.input).toBe(1);
  expect(priceOf("ollama/small", prices)).toBeUndefined();
  expect(priceOf("constructor", prices)).toBeUndefined();
});

test("cached and cache-written tokens have prices of their own, and the sum is rounded up", () => {
  const price = { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 };
  const usage = { inputTokens: 1000, cachedInputTokens: 600, cacheWriteTokens: 300, outputTokens: 10 };
  expect(amountOf(usage, price)).toEqual({ costMicros: 100 * 3 + 600 * 0.3 + 300 * 3.75 + 10 * 15, tokens: 1010 });
  const one = { inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
  expect(amountOf(one, { input: 0.01, output: 0 }).costMicros).toBe(1);
  expect(amountOf({ ...one, inputTokens: 30 }, { input: 0.1, output: 0 }).costMicros).toBe(3);
});

test("beyond the long context all of a request has its prices", () => {
  const price = { input: 1, output: 10, longContext: { above: 1000, input: 2, output: 15 } };
  const usage = { inputTokens: 1000, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 10 };
  expect(amountOf(usage, price).costMicros).toBe(1100);
  expect(amountOf({ ...usage, inputTokens: 1001 }, price).costMicros).toBe(2152);
  expect(worstCase(1000, 10, price).costMicros).toBe(1100);
  expect(worstCase(1001, 10, price).costMicros).toBe(2152);
});

test("a server that does not count its cache writes is taken at their price", () => {
  const usage = { inputTokens: 100, cachedInputTokens: 40, cacheWriteTokens: null, outputTokens: 0 };
  expect(amountOf(usage, { input: 4, cachedInput: 1, cacheWrite: 5, output: 0 }).costMicros).toBe(40 + 60 * 5);
  expect(amountOf(usage, { input: 4, cachedInput: 1, output: 0 }).costMicros).toBe(40 + 60 * 4);
});

test("no usage within the limits of a request costs more than its worst case", () => {
  const price = fc.double({ min: 0, max: 200, noNaN: true });
  const tokens = fc.nat(2_000_000);
  const optional = fc.option(price, { nil: undefined });
  const rates = fc.record({ input: price, cachedInput: optional, cacheWrite: optional, output: price });
  const full = fc
    .tuple(rates, fc.option(rates, { nil: undefined }), fc.integer({ min: 1, max: 500_000 }))
    .map(([base, long, above]) => Price.parse({ ...base, ...(long && { longContext: { ...long, above } }) }));
  fc.assert(
    fc.property(
      full,
      tokens,
      tokens,
      // All or nothing of a kind of token is where a bound breaks first.
      fc.array(fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })), {
        minLength: 4,
        maxLength: 4,
      }),
      (price, bytes, maxOutput, [a = 0, b = 0, c = 0, d = 0]) => {
        const inputTokens = Math.floor(bytes * a);
        const usage = {
          inputTokens,
          cachedInputTokens: Math.floor(inputTokens * b),
          cacheWriteTokens: Math.floor(inputTokens * c),
          outputTokens: Math.floor(maxOutput * d),
        };
        const worst = worstCase(bytes, maxOutput, price);
        const actual = amountOf(usage, price);
        expect(actual.costMicros).toBeLessThanOrEqual(worst.costMicros);
        expect(actual.tokens).toBeLessThanOrEqual(worst.tokens);
        expect(Number.isInteger(actual.costMicros) && actual.costMicros >= 0).toBe(true);
      },
    ),
  );
});
