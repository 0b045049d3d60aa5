import { hasLine } from "../../domain/evidence/line-range.ts";
import { isKilled, type Mutant, type MutantReport, type MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { ChangedUnit } from "../change/changed-units.ts";
import { mutantsIn, mutateTree, type TestedTree } from "./mutate-tree.ts";

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
  units: readonly ChangedUnit[];
  /** Green on the old code and on the new. */
  tests: string[];
  budgetMs: number;
}

/**
 * Mutants of the old code, in a tree that has the tests which are to notice, where it was changed or taken away. Tests
 * that do not notice when the old code does something else cannot tell, either, whether the new code does the same.
 * Lines in which nothing gives a value on are asked together with the whole function.
 */
export async function mutateBase(tree: TestedTree, { units, tests, budgetMs }: BaseRequest): Promise<BaseMutants> {
  const own = new Map<ChangedUnit, Mutant[]>();
  for (const unit of units) {
    const all = await mutantsIn(tree, unit.path, unit.whole, true);
    const changed = all.filter(({ line }) => hasLine(unit.lines, line));
    own.set(unit, changed.some(tellsOfValue) ? changed : all);
  }
  const mutants = [...new Map([...own.values()].flat().map((mutant) => [mutant.id, mutant])).values()];
  const report = await mutateTree(tree, "the lines before the change", { mutants, tests, budgetMs });
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
