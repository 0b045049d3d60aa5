import { isKilled, type MutantReport, survivors } from "../../domain/evidence/mutant-report.ts";
import { suiteLimits } from "../../languages/suite-limits.ts";
import { traceTests } from "../../languages/trace-tests.ts";
import { recounted } from "../mutants/report-mutants.ts";
import { mutateTree, type TestedTree } from "./mutate-tree.ts";
import type { OwnSuite } from "./repeat-on-result.ts";

interface Meeting {
  own: OwnSuite;
  /** A clean directory with the tree, the project's own tests in it. */
  layOut: () => Promise<string>;
  budgetMs: number;
}

/** A slower suite is not run again for this purpose alone. */
const LONGEST_SUITE_MS = 60_000;

/**
 * What the tests of the goal let pass meets the project's own tests: what these notice is noticed, although it shows no
 * requirement. Nobody has to be asked for a test that is there.
 */
export async function meetOwnSuite(tree: TestedTree, report: MutantReport, meeting: Meeting): Promise<MutantReport> {
  const { own, layOut, budgetMs } = meeting;
  const left = survivors(report);
  const usable = own.baseline.tests.some(({ outcome }) => outcome === "passed");
  if (left.length === 0 || !usable || own.baseline.durationMs > LONGEST_SUITE_MS) return report;
  const paths = [...new Set(left.map(({ path }) => path))];
  const { language, toolchain, sandbox, signal, read } = tree;
  const limits = suiteLimits(tree.limits, own.baseline);
  const around = { language, toolchain, sandbox, limits, signal };
  const traced = await traceTests({ ...around, workspace: await layOut(), files: [], paths, read });
  const flaky = new Set(own.flaky);
  const tests = traced.report.tests
    .filter(({ id, outcome }) => outcome === "passed" && !flaky.has(id))
    .map(({ id }) => id);
  const more = await mutateTree({ ...tree, traced }, "what the new tests let pass", { mutants: left, tests, budgetMs });
  return more && more.problem === null ? withNoticed(report, more) : report;
}

/** The first report, with what the second one saw noticed. */
export function withNoticed(report: MutantReport, more: MutantReport): MutantReport {
  const noticed = new Map(more.results.filter(isKilled).map((result) => [result.mutant.id, result]));
  return recounted(
    report,
    report.results.map((result) => (result.fate === "survived" ? (noticed.get(result.mutant.id) ?? result) : result)),
  );
}
