import type { ProveRequest } from "../verify/prove/prove-parts.ts";

const USUAL_MUTANTS_MS = 40_000;
/** Unless a person gives the mutants their time, a verdict takes about a minute, or ten times the suite. */
const USUAL_WHOLE_MS = 55_000;

/** What `miracle prove` asks of the verifier where nobody asks for anything else: nothing is accepted without a proof. */
export const usualProof = (directory: string): ProveRequest => ({
  directory,
  accept: [],
  superseded: [],
  leave: [],
  mutationScore: null,
  budgetMs: USUAL_MUTANTS_MS,
  withinMs: USUAL_WHOLE_MS,
});
