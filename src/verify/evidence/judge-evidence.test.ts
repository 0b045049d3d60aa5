import { expect, test } from "vitest";
import { gathered } from "../../../test/evidence-builder.ts";
import type { MutantReport } from "../../domain/evidence/mutant-report.ts";
import { isProvable } from "./judge-evidence.ts";

const mutants = (killed: number, problem: string | null = null): { mutants: MutantReport } => ({
  mutants: {
    results: [],
    counts: { killed, timedOut: 0, survived: 0, compared: 0, notRun: 0, skipped: 0 },
    score: null,
    requirements: [],
    problem,
    durationMs: 1,
    testRunMs: 1,
    ratio: 1,
  },
});

test("new behaviour is proven, and documentation never is", () => {
  expect(isProvable("feature", gathered())).toBe(true);
  expect(isProvable("documentation", gathered(mutants(3)))).toBe(false);
});

test("a refactoring is proven only where its tests noticed a mutant and nothing speaks against that", () => {
  expect(isProvable("refactoring", gathered())).toBe(false);
  expect(isProvable("refactoring", gathered(mutants(0)))).toBe(false);
  expect(isProvable("refactoring", gathered(mutants(1, "red without a mutant")))).toBe(false);
  expect(isProvable("refactoring", gathered(mutants(1)))).toBe(true);
});

test("speed without a requirement that was measured is not proven", () => {
  expect(isProvable("performance", gathered({ speed: [] }))).toBe(false);
});
