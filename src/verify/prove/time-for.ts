import type { ProveRequest } from "./prove-parts.ts";
import type { SuiteRuns } from "./run-suites.ts";

/** As many times the project's own suite: for its mutants, and for everything. */
const MUTANTS = 4;
const WHOLE = 10;

/**
 * A slow suite, or a busy machine, gets more time, so that the verdict does not hang on it. What a person gives with
 * --budget stays as it is.
 */
export function withTime(request: ProveRequest, runs: SuiteRuns | null): ProveRequest {
  if (request.withinMs === undefined) return request;
  const suiteMs = runs?.before?.durationMs ?? runs?.after?.durationMs ?? 0;
  return {
    ...request,
    budgetMs: Math.max(request.budgetMs, MUTANTS * suiteMs),
    withinMs: Math.max(request.withinMs, WHOLE * suiteMs),
  };
}
