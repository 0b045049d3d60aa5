import type { Mutant, MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { ChangedLines } from "../change/changed-lines.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { type BehaviourRequest, compareBehaviour } from "../compare/compare-behaviour.ts";
import { changedLineCoverage } from "../coverage/changed-line-coverage.ts";
import { mutateTree, type TestedTree } from "../measure/mutate-tree.ts";
import type { MetCode } from "./account-change.ts";
import { testsOfChange } from "./tests-of-unit.ts";
import { comparedFunctions, unitMutants } from "./unit-mutants.ts";

/** One that is noticed is enough: a few tell. */
const MOST_EACH = 4;

/** A few small changes of each part: whether any of these tests notices one. */
export async function tryUnits(
  tree: TestedTree,
  units: readonly UnitChange[],
  budgetMs: number,
): Promise<MutantResult[]> {
  const each: Mutant[][] = [];
  for (const unit of units) each.push((await unitMutants(tree, [unit])).slice(0, MOST_EACH));
  // Every part has its first before one has its second.
  const turns = Array.from({ length: MOST_EACH }, (_, turn) => each.flatMap((own) => own[turn] ?? [])).flat();
  const mutants = [...new Map(turns.map((mutant) => [mutant.id, mutant])).values()];
  const report = await mutateTree(tree, "what no mutant was noticed of yet", { mutants, budgetMs });
  return report && report.problem === null ? report.results : [];
}

/** Everything about these parts, as for a change of which nobody knows the goal. */
export async function meetUnits(
  tree: TestedTree,
  units: readonly UnitChange[],
  layOut: BehaviourRequest["layOut"],
  budgetMs: number,
): Promise<MetCode> {
  const changed: ChangedLines = new Map();
  for (const { path, lines } of units) changed.set(path, [...(changed.get(path) ?? []), ...lines]);
  const mutants = await unitMutants(tree, units);
  const coverage = await changedLineCoverage({ ...tree, changed });
  const behaviour = await compareBehaviour({
    ...tree,
    ...comparedFunctions(units),
    tests: filesOf(testsOfChange(tree.traced, units)),
    layOut,
    mutants,
    budgetMs,
  });
  const report = await mutateTree(tree, "the rest of the change", {
    mutants,
    compared: new Set(behaviour.noticed),
    budgetMs,
  });
  const results = report && report.problem === null ? report.results : [];
  return { coverage, lines: tree.traced.lines, mutants: results, behaviour: behaviour.functions };
}

const filesOf = (ids: readonly string[] | null): string[] | null =>
  ids && [...new Set(ids.map((id) => id.split("::")[0] ?? id))];
