import { expect, test } from "vitest";
import { report } from "../../../test/report-builder.ts";
import { withTime } from "./time-for.ts";

const asked = { directory: "", accept: [], superseded: [], leave: [], mutationScore: null, budgetMs: 40_000, busy: 1 };
const runs = (durationMs: number) => ({
  before: { ...report({}), durationMs },
  ...{ after: null, oldOnNew: null, newOnOld: null, base: null, resultTraced: null },
});

test("a slow suite gets more time, a quick one the usual", () => {
  const usual = { ...asked, withinMs: 55_000 };
  expect(withTime(usual, runs(30_000))).toMatchObject({ budgetMs: 120_000, withinMs: 300_000 });
  expect(withTime(usual, runs(500))).toEqual(usual);
  expect(withTime({ ...usual, busy: 3 }, runs(500))).toMatchObject({ budgetMs: 120_000, withinMs: 165_000 });
});

test("what a person gives stays", () => {
  expect(withTime(asked, runs(30_000))).toEqual(asked);
});
