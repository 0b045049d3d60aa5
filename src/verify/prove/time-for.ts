import type { SuiteRuns } from "./run-suites.ts";

/** As many times the project's own suite: for its mutants, and for everything. */
const MUTANTS = 4;
const WHOLE = 10;

/**
 * A slow suite, or a busy machine, gets more time, so that the verdict does not hang on it. What a person gives with
 * --budget stays as it is.
 */
export function withTime<Asked extends { budgetMs: number; withinMs?: number | undefined; busy: number }>(
  request: Asked,
  runs: SuiteRuns | null,
): Asked {
  if (request.withinMs === undefined) return request;
  const suiteMs = runs?.before?.durationMs ?? runs?.after?.durationMs ?? 0;
  return {
    ...request,
    budgetMs: Math.max(request.budgetMs * request.busy, MUTANTS * suiteMs),
    withinMs: Math.max(request.withinMs * request.busy, WHOLE * suiteMs),
  };
}
