import fc from "fast-check";
import { expect, test } from "vitest";
import { type Candidate, chooseCandidate, needsUnseenToChoose } from "./candidate.ts";

const candidate = fc.record({
  number: fc.integer({ min: 1, max: 9 }),
  tree: fc.constant("t"),
  green: fc.boolean(),
  red: fc.integer({ min: 0, max: 3 }),
  unseenRed: fc.option(fc.integer({ min: 0, max: 3 })),
  changedLines: fc.integer({ min: 0, max: 3 }),
  durationMs: fc.integer({ min: 0, max: 3 }),
});
const candidates = fc.uniqueArray(candidate, { minLength: 1, maxLength: 5, selector: ({ number }) => number });

test("the chosen one does not depend on the order, and no other is better in what counts more", () => {
  const rank = (one: Candidate) => [
    !one.green,
    one.red,
    one.unseenRed ?? 0,
    one.changedLines,
    one.durationMs,
    one.number,
  ];
  fc.assert(
    fc.property(candidates, (all) => {
      const chosen = chooseCandidate(all);
      expect(chooseCandidate(all.toReversed())).toEqual(chosen);
      for (const other of all) {
        const first = rank(chosen).findIndex((value, at) => value !== rank(other)[at]);
        if (first >= 0) expect(Number(rank(chosen)[first])).toBeLessThan(Number(rank(other)[first]));
      }
    }),
  );
});

test("tests that nobody saw are spent only where the visible ones leave a choice", () => {
  const one: Candidate = { number: 1, tree: "", green: true, red: 0, unseenRed: null, changedLines: 1, durationMs: 1 };
  expect(needsUnseenToChoose([one])).toBe(false);
  expect(needsUnseenToChoose([one, { ...one, number: 2, green: false, red: 1 }])).toBe(false);
  expect(needsUnseenToChoose([one, { ...one, number: 2 }])).toBe(true);
});
