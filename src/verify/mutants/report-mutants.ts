import {
  FEWEST_FOR_SCORE,
  isKilled,
  type MutantFate,
  type MutantReport,
  type MutantResult,
} from "../../domain/evidence/mutant-report.ts";

interface Facts {
  results: MutantResult[];
  requirements: readonly { id: string; tests: readonly string[] }[];
  /** The tests that each mutant is for, by its id. */
  asked: ReadonlyMap<string, readonly string[]>;
  problem: string | null;
  durationMs: number;
  testRunMs: number;
}

/** What the single results come to. */
export function reportMutants({ results, requirements, asked, problem, durationMs, testRunMs }: Facts): MutantReport {
  return {
    ...summed(results, problem),
    requirements: requirements.map(({ id, tests }) => ({
      id,
      killed: problem !== null ? [] : noticedBy(results, tests),
      ...meetings(results, asked, tests),
    })),
    durationMs,
    testRunMs,
    ratio: testRunMs > 0 ? durationMs / testRunMs : 0,
  };
}

/** Reports of mutants in several languages, one after the other, as one. */
export function mergeMutants(reports: readonly MutantReport[]): MutantReport | null {
  const [first, ...more] = reports;
  if (!first || more.length === 0) return first ?? null;
  const problem = reports.find((one) => one.problem !== null)?.problem ?? null;
  const durationMs = reports.reduce((sum, one) => sum + one.durationMs, 0);
  const requirements = first.requirements.map(({ id }) => {
    const own = reports.flatMap((one) => one.requirements.filter((other) => other.id === id));
    const all = (field: "met" | "left") => own.reduce((sum, one) => sum + (one[field] ?? 0), 0);
    return { id, killed: own.flatMap(({ killed }) => killed), met: all("met"), left: all("left") };
  });
  const results = reports.flatMap((one) => one.results);
  const { testRunMs } = first;
  return {
    ...summed(results, problem),
    requirements,
    durationMs,
    testRunMs,
    ratio: testRunMs > 0 ? durationMs / testRunMs : 0,
  };
}

/** The same report with other results: what the tests of requirements noticed stays as it was. */
export const recounted = (report: MutantReport, results: MutantResult[]): MutantReport => ({
  ...report,
  ...summed(results, report.problem),
});

function summed(results: MutantResult[], problem: string | null) {
  const count = (fate: MutantFate) => results.filter((result) => result.fate === fate).length;
  const counts = {
    killed: count("killed"),
    timedOut: count("timed-out"),
    survived: count("survived"),
    compared: count("compared"),
    notRun: count("not-run"),
    skipped: count("skipped"),
  };
  const ran = counts.killed + counts.timedOut + counts.survived;
  return {
    results,
    counts,
    score: problem !== null || ran < FEWEST_FOR_SCORE ? null : (counts.killed + counts.timedOut) / ran,
    problem,
  };
}

function meetings(results: readonly MutantResult[], asked: Facts["asked"], tests: readonly string[]) {
  const own = new Set(tests);
  const theirs = results.filter(({ mutant }) => asked.get(mutant.id)?.some((test) => own.has(test)));
  const ran = theirs.filter((result) => isKilled(result) || result.fate === "survived");
  return { met: ran.length, left: theirs.filter(({ fate }) => fate === "not-run").length };
}

/**
 * The mutants that made these tests red, though they are green without. A mutant that makes the code raise is noticed by
 * every test that runs it, whatever that test expects: so none of this counts unless an expectation noticed one of them.
 */
function noticedBy(results: readonly MutantResult[], tests: readonly string[]): string[] {
  const own = new Set(tests);
  const noticed = results.filter((result) => isKilled(result) && result.killedBy.some((test) => own.has(test)));
  return noticed.some(({ expectedBy }) => expectedBy.some((test) => own.has(test)))
    ? noticed.map(({ mutant }) => mutant.id)
    : [];
}
