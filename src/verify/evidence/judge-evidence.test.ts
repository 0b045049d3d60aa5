import { expect, test } from "vitest";
import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import { isProvable } from "./judge-evidence.ts";

const evidence = (more: Partial<GatheredEvidence> = {}): GatheredEvidence => ({
  tree: "t",
  requirements: [],
  suite: { before: null, after: null },
  accept: [],
  ...more,
});
const mutants = (killed: number, why = "") => ({
  mutants: { killed, survived: 0, notRun: 0, score: null, survivors: [], why },
});

test("new behaviour is proven, and documentation never is", () => {
  expect(isProvable("feature", evidence())).toBe(true);
  expect(isProvable("documentation", evidence(mutants(3)))).toBe(false);
});

test("a refactoring is proven only where its tests noticed a mutant and nothing speaks against that", () => {
  expect(isProvable("refactoring", evidence())).toBe(false);
  expect(isProvable("refactoring", evidence(mutants(0)))).toBe(false);
  expect(isProvable("refactoring", evidence(mutants(1, "red without a mutant")))).toBe(false);
  expect(isProvable("refactoring", evidence(mutants(1)))).toBe(true);
});

test("speed without a requirement that was measured is not proven", () => {
  expect(isProvable("performance", evidence({ speed: [] }))).toBe(false);
});
