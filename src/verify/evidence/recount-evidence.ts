import type { CoverageReport } from "../../domain/evidence/coverage-report.ts";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import type { LineRange } from "../../domain/evidence/line-range.ts";
import { FEWEST_FOR_SCORE, isKilled, type MutantFate, type MutantReport } from "../../domain/evidence/mutant-report.ts";

/**
 * Every number of a document counted again from its own lists, and every name looked up there. One line for each that
 * is not so. It knows nothing of how a verdict is made: a sum that was forged with everything around it is still wrong.
 */
export function recountEvidence(document: EvidenceDocument): string[] {
  const { mutants, coverage } = document;
  return [
    ...(mutants ? mutantFaults(mutants) : []),
    ...(coverage ? coverageFaults(coverage) : []),
    ...requirementFaults(document),
    ...(document.producer === "run" ? suiteFaults(document) : []),
  ];
}

const differs = (field: string, said: unknown, counted: unknown): string[] =>
  said === counted ? [] : [`${field}: it says ${said}, its own lists say ${counted}`];

/** A new fate is a new count: the compiler asks for both. */
const FATES: Record<keyof MutantReport["counts"], MutantFate> = {
  killed: "killed",
  timedOut: "timed-out",
  compared: "compared",
  survived: "survived",
  notRun: "not-run",
  skipped: "skipped",
};

const COUNTS = ["killed", "timedOut", "compared", "survived", "notRun", "skipped"] as const;

function mutantFaults({ results, counts, score, problem, requirements }: MutantReport): string[] {
  const of = (fate: MutantFate) => results.filter((result) => result.fate === fate).length;
  const noticed = of("killed") + of("timed-out");
  const ran = noticed + of("survived");
  const noticing = new Map(
    results.flatMap((result) => (isKilled(result) ? [[result.mutant.id, result] as const] : [])),
  );
  return [
    ...COUNTS.flatMap((name) => differs(`mutants.counts.${name}`, counts[name], of(FATES[name]))),
    ...differs("mutants.score", score, problem !== null || ran < FEWEST_FOR_SCORE ? null : noticed / ran),
    ...requirements.flatMap(({ id, killed }) => {
      const said = `mutants.requirements: ${id} is said to notice`;
      const expected = killed.some((mutant) => (noticing.get(mutant)?.expectedBy.length ?? 0) > 0);
      return [
        ...killed.filter((mutant) => !noticing.has(mutant)).map((mutant) => `${said} ${mutant}, and no test went red`),
        ...(killed.length > 0 && !expected ? [`${said} mutants, and no test expected otherwise`] : []),
      ];
    }),
  ];
}

function coverageFaults({ files, share }: CoverageReport): string[] {
  const lines = (ranges: LineRange[]) => ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const known = files.filter((file) => file.available);
  const covered = known.reduce((sum, file) => sum + lines(file.covered), 0);
  const all = known.reduce((sum, file) => sum + lines(file.covered) + lines(file.uncovered), 0);
  return differs("coverage.share", share, all === 0 ? null : covered / all);
}

/** What shows a requirement is listed, and green where it is said to show something. */
function requirementFaults({ requirements, tests, speed = [] }: EvidenceDocument): string[] {
  const listed = Map.groupBy(tests, ({ id }) => id);
  return requirements.flatMap(({ id, support, tests: named }) => {
    const missing = named.filter((test) => !listed.has(test));
    const shows = named.flatMap((test) => listed.get(test) ?? []).some(({ after }) => after === "passed");
    const measured = speed.some(({ requirement }) => requirement === id);
    return [
      ...missing.map((test) => `requirements: ${id} names ${test}, and tests does not have it`),
      ...(support === "none" || shows || measured
        ? []
        : [`requirements: ${id} is said to be shown, and no test passed`]),
    ];
  });
}

/** The gate's run is listed test by test; only unseen ones are not of it. */
function suiteFaults({ suite, tests }: EvidenceDocument): string[] {
  if (!suite?.after) return [];
  const seen = tests.filter(({ origin }) => origin !== "held-out");
  const of = (...outcomes: string[]) => seen.filter(({ after }) => outcomes.includes(after)).length;
  return [
    ...differs("suite.after.passed", suite.after.passed, of("passed")),
    ...differs("suite.after.red", suite.after.red, of("failed", "error")),
    ...differs("suite.after.skipped", suite.after.skipped, of("skipped", "xfailed")),
  ];
}
