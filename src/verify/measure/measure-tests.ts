import type { FlakeReport } from "../../domain/evidence/flake-report.ts";
import type { Measured, Sensitivity } from "../../domain/evidence/measured.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import { isRed } from "../../domain/evidence/test-report.ts";
import type { ChangedLines } from "../change/changed-lines.ts";
import { changedLineCoverage } from "../coverage/changed-line-coverage.ts";
import { sensitivityOf } from "../mutants/sensitivity.ts";
import { sensitivityInData } from "../mutants/spoil-data.ts";
import type { BaseMutants } from "./mutate-base.ts";
import { mutantsIn, mutateTree, type TestedTree } from "./mutate-tree.ts";

interface Measuring {
  tree: TestedTree;
  /** The lines that the tests are to look at. */
  changed: ChangedLines;
  /** Runs the tests again under other conditions. */
  repeat: () => Promise<FlakeReport | null>;
  /** Null: no mutant is tried. */
  mutants: MutantPlan | null;
  /** Takes the time of each stage. */
  time?: <T>(stage: string, work: () => Promise<T>) => Promise<T>;
}

interface MutantPlan {
  /** Groups of tests of which each must notice something: those of a requirement, or those that turned green. */
  requirements: readonly { id: string; tests: readonly string[] }[];
  /** Values are exchanged, too: a test must notice a wrong value, not only that there is one. */
  values: boolean;
  /** For all mutants together; asked when they begin. */
  budgetMs: () => number;
  /** Tries mutants of the old code first, where the tests must show that it was kept. */
  ofBase?: (budgetMs: number) => Promise<BaseMutants | null>;
  /** Tests that notice no mutant run again on trees whose data files hold wrong values. Each run lays the tree out anew. */
  inData?: { layOut: () => Promise<string>; budgetMs: number };
}

export interface MeasuredTests extends Measured {
  /** Null: not tried. */
  base: BaseMutants | null;
}

/** Of the time for mutants; the rest is for the changed lines themselves. */
const BASE_SHARE = 0.6;

/**
 * How well tests look at a change: which of its lines they run, whether they say the same under other conditions, and
 * whether they can fail, which small changes of its lines show. For the loop (`run`) and for `prove`.
 */
export async function measureTests(measuring: Measuring): Promise<MeasuredTests> {
  const { tree, changed, repeat, mutants: plan, time = (_, work) => work() } = measuring;
  const coverage = await changedLineCoverage({ ...tree, changed });
  const flakes = await time("repeats", repeat);
  if (!plan) return { coverage, flakes, mutants: null, base: null, why: "no mutant was tried", sensitivity: [] };
  const { requirements, values, ofBase } = plan;
  const started = performance.now();
  const budgetMs = plan.budgetMs();
  const base = ofBase ? await time("mutants of the base", () => ofBase(budgetMs * BASE_SHARE)) : null;
  const left = Math.max(1, budgetMs - (performance.now() - started));
  const mutants = await time("mutants", async () => {
    const made: Mutant[] = [];
    for (const [path, lines] of changed) made.push(...(await mutantsIn(tree, path, lines, values)));
    return mutateTree(tree, "the changed lines", { mutants: made, requirements, budgetMs: left });
  });
  const why = mutants ? (mutants.problem ?? "") : "no changed line has anything to mutate";
  const sensitivity = await inData(measuring, plan, sensitivityOf(mutants, requirements));
  return { coverage, flakes, mutants, base, why, sensitivity };
}

function inData(
  { tree, changed }: Measuring,
  { requirements, inData: asked }: MutantPlan,
  sensitivity: Sensitivity[],
): Promise<Sensitivity[]> {
  if (!asked) return Promise.resolve(sensitivity);
  const red = new Set(tree.traced.report.tests.filter(isRed).map(({ id }) => id));
  return sensitivityInData({ ...tree, ...asked, changed, sensitivity, requirements, red });
}
