import fc from "fast-check";
import { expect, test } from "vitest";
import { isWithinShare } from "./budget-share.ts";

const spent = (costMicros: number) => ({ costMicros, tokens: 0 });

test("what is left is divided evenly, and what others did not use comes back", () => {
  const left = { costMicros: 60, tokens: null };
  expect(isWithinShare(left, spent(30), [spent(30), spent(10)])).toBe(true);
  expect(isWithinShare(left, spent(70), [spent(70), spent(10)])).toBe(false);
  expect(isWithinShare(left, spent(70), [spent(70)])).toBe(true);
});

test("without a limit there is nothing to divide, and with nothing left nobody goes on", () => {
  expect(isWithinShare({ costMicros: null, tokens: null }, spent(1e9), [spent(1e9), spent(0)])).toBe(true);
  expect(isWithinShare({ costMicros: 0, tokens: null }, spent(0), [spent(0), spent(50)])).toBe(false);
});

test("todos that go on only within their share come to an end, use what there is, and pass it by one step at most", () => {
  const pools = fc.record({ pool: fc.integer({ min: 0, max: 500 }), steps: fc.array(fc.nat(20), { minLength: 1 }) });
  fc.assert(
    fc.property(pools, fc.integer({ min: 1, max: 6 }), ({ pool, steps }, count) => {
      const used = Array.from({ length: count }, () => 0);
      const total = () => used.reduce((sum, one) => sum + one, 0);
      for (let turn = 0; turn < 10_000; turn += 1) {
        const open = used.map(spent);
        const next = used.findIndex((own) =>
          isWithinShare({ costMicros: Math.max(0, pool - total()), tokens: null }, spent(own), open),
        );
        if (next < 0) break;
        used[next] = (used[next] ?? 0) + 1 + (steps[turn % steps.length] ?? 0);
        expect(total()).toBeLessThanOrEqual(pool + 21);
        expect(turn).toBeLessThan(9_999);
      }
      expect(total()).toBeGreaterThanOrEqual(pool);
    }),
  );
});
