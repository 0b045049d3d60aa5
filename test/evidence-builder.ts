import type { GatheredEvidence } from "../src/domain/evidence/gathered-evidence.ts";

/** Evidence of which only what a test is about is written out. */
export const gathered = (own: Partial<GatheredEvidence> = {}): GatheredEvidence => ({
  tree: "t",
  carriedBy: [],
  requirements: [],
  tests: [],
  suite: null,
  accept: [],
  integrity: [],
  mutants: null,
  coverage: null,
  flakes: null,
  scans: null,
  disputes: [],
  notChecked: [],
  ...own,
});
