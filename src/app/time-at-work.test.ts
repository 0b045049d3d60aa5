import fc from "fast-check";
import { expect, test } from "vitest";
import { covered, type Span } from "./time-at-work.ts";

test("what overlaps counts once, and a pause does not count", () => {
  expect(covered([])).toBe(0);
  expect(
    covered([
      [100, 200],
      [150, 250],
      [160, 170],
      [1000, 1010],
    ]),
  ).toBe(160);
});

test("the order of the spans does not matter, and no time is counted twice", () => {
  const span = fc.tuple(fc.nat(100), fc.nat(50)).map(([from, length]): Span => [from, from + length]);
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
      const ticks = Array.from({ length: 200 }, (_, at) => spans.some(([from, to]) => from <= at && at < to));
      expect(covered(spans)).toBe(ticks.filter(Boolean).length);
      expect(covered(spans.toReversed())).toBe(covered(spans));
    }),
  );
});
