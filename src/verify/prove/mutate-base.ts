import { hasLine } from "../../domain/evidence/line-range.ts";
import { isKilled, type Mutant, type MutantReport, type MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import type { ChangedUnit } from "../change/changed-units.ts";
import { makeMutants } from "../mutants/make-mutants.ts";
import { readFrom, runThem, WITH_VALUES } from "./mutate-change.ts";
import type { ProveParts } from "./prove-parts.ts";
import type { SuiteRunner } from "./suite-runner.ts";

/** What the mutants of one part of the old code came to. */
export interface UnitMutants {
  unit: ChangedUnit;
  results: MutantResult[];
}

export interface BaseMutants {
  report: MutantReport | null;
  units: UnitMutants[];
}

interface BaseRequest {
  parts: ProveParts;
  suite: SuiteRunner;
  /** The old code, with the tests that are to notice. */
  tree: string;
  units: readonly ChangedUnit[];
  traced: TracedRun;
  /** Green on the old code and on the new. */
  tests: string[];
  budgetMs: number;
}

/**
 * Mutants of the old code where it was changed or taken away. Tests that do not notice when the old code does something
 * else cannot tell, either, whether the new code does the same. Lines in which nothing gives a value on are asked
 * together with the whole function.
 */
export async function mutateBase(request: BaseRequest): Promise<BaseMutants> {
  const { parts, tree, units } = request;
  const read = readFrom(parts, tree);
  const own = new Map<ChangedUnit, Mutant[]>();
  for (const unit of units) {
    const content = read(unit.path);
    const all =
      content === null ? [] : await makeMutants({ path: unit.path, content }, unit.whole, parts.parsers, WITH_VALUES);
    const changed = all.filter(({ line }) => hasLine(unit.lines, line));
    own.set(unit, changed.some(tellsOfValue) ? changed : all);
  }
  const mutants = [...new Map([...own.values()].flat().map((mutant) => [mutant.id, mutant])).values()];
  const report = await runThem("the lines before the change", mutants, request);
  const results = new Map(report?.results.map((result) => [result.mutant.id, result]));
  return {
    report,
    units: [...own].map(([unit, made]) => ({ unit, results: made.flatMap(({ id }) => results.get(id) ?? []) })),
  };
}

/** Losing the result altogether is noticed by every test that touches it. */
const tellsOfValue = ({ operator }: Mutant): boolean => operator !== "return";

/** A test's own expectation failed because the code did something else, not because it did nothing. */
export const isTelling = (result: MutantResult): boolean =>
  isKilled(result) && result.expectedBy.length > 0 && tellsOfValue(result.mutant);
