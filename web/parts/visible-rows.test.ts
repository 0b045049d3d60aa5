import fc from "fast-check";
import { expect, test } from "vitest";
import { rowsBetween, startsOf } from "./visible-rows.ts";

test("rows begin where those before them end", () => {
  expect(startsOf([40, 60, 60])).toEqual([0, 40, 100, 160]);
});

test("exactly the rows that reach into what is seen are drawn", () => {
  const heights = fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 60 });
  fc.assert(
    fc.property(heights, fc.nat(3000), fc.integer({ min: 1, max: 1000 }), (all, from, size) => {
      const starts = startsOf(all);
      const { first, behind } = rowsBetween(starts, from, from + size);
      const seen = all.flatMap((height, row) => {
        const start = starts[row] ?? 0;
        return start + height > from && start < from + size ? [row] : [];
      });
      expect(Array.from({ length: behind - first }, (_, index) => first + index)).toEqual(seen);
    }),
  );
});
