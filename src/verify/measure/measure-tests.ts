import type { FlakeReport } from "../../domain/evidence/flake-report.ts";
import type { Measured, Sensitivity } from "../../domain/evidence/measured.ts";
import { isKilled, type Mutant, type MutantReport } from "../../domain/evidence/mutant-report.ts";
import { isRed } from "../../domain/evidence/test-report.ts";
import type { ChangedLines } from "../change/changed-lines.ts";
import { changedLineCoverage } from "../coverage/changed-line-coverage.ts";
import type { WantedMutants } from "../mutants/make-mutants.ts";
import { mergeMutants } from "../mutants/report-mutants.ts";
import { sensitivityOf } from "../mutants/sensitivity.ts";
import { sensitivityInData } from "../mutants/spoil-data.ts";
import { mutantsIn, mutateTree, type TestedTree } from "./mutate-tree.ts";

interface Measuring {
  tree: TestedTree;
  /** The lines that the tests are to look at. */
  changed: ChangedLines;
  /** Runs the tests again under other conditions. */
  repeat: () => Promise<FlakeReport | null>;
  mutants: MutantPlan;
}

interface MutantPlan {
  /** Groups of tests of which each must notice something: those of a requirement, or those that turned green. */
  requirements: readonly { id: string; tests: readonly string[] }[];
  /** For all mutants together. */
  budgetMs: number;
  /** Tests that notice no mutant run again on trees whose data files hold wrong values. Each run lays the tree out anew. */
  inData?: { layOut: () => Promise<string>; budgetMs: number };
}

/**
 * How well tests look at a change: which of its lines they run, whether they say the same under other conditions, and
 * whether they can fail, which small changes of its lines show.
 */
export async function measureTests(measuring: Measuring): Promise<Measured> {
  const { tree, changed, repeat, mutants: plan } = measuring;
  const { requirements } = plan;
  const coverage = await changedLineCoverage({ ...tree, changed });
  const flakes = await repeat();
  const mutants = await mutateEnough(measuring, plan);
  const why = mutants ? (mutants.problem ?? "") : "no changed line has anything to mutate";
  const sensitivity = await inData(measuring, plan, sensitivityOf(mutants, requirements));
  return { coverage, flakes, mutants, why, sensitivity };
}

/**
 * Values that are given on become others only where some tests noticed nothing yet: a constructor that keeps what it gets, or
 * a `throw`, may have no other mutant. Where that is not enough, functions spoil what they were given: only a test of that
 * can notice it, so that it counts for such tests and against nobody.
 */
async function mutateEnough({ tree, changed }: Measuring, plan: MutantPlan): Promise<MutantReport | null> {
  const { requirements, budgetMs } = plan;
  const make = async (wanted: WantedMutants) => {
    const made: Mutant[] = [];
    for (const [path, lines] of changed) made.push(...(await mutantsIn(tree, path, lines, wanted)));
    return made;
  };
  const usual = await make({});
  const first = await mutateTree(tree, "the changed lines", { mutants: usual, requirements, budgetMs });
  if (openOf(first, requirements).length === 0) return first;
  const known = new Set(usual.map(({ id }) => id));
  const more = (await make({ values: true })).filter(({ id }) => !known.has(id));
  const second = await mutateTree(tree, "the values given on there", { mutants: more, requirements, budgetMs });
  const both = mergeMutants([first, second].filter((report) => report !== null));
  const open = openOf(both, requirements);
  if (open.length === 0) return both;
  const tests = open.flatMap((one) => one.tests);
  const spoiling = await make({ inputs: true });
  const third = await mutateTree(tree, "what is given there", { mutants: spoiling, requirements, tests, budgetMs });
  return mergeMutants([both, third && onlyKilled(third)].filter((report) => report !== null));
}

const openOf = (report: MutantReport | null, requirements: MutantPlan["requirements"]) => {
  const states = new Map(sensitivityOf(report, requirements).map(({ id, state }) => [id, state]));
  return requirements.filter(({ id }) => ["unnoticed", "no-mutant"].includes(states.get(id) ?? ""));
};

const onlyKilled = (report: MutantReport): MutantReport => ({
  ...report,
  results: report.results.filter(isKilled),
  requirements: report.requirements.map(({ id, killed }) => ({ id, killed, met: killed.length, left: 0 })),
});

function inData(
  { tree, changed }: Measuring,
  { requirements, inData: asked }: MutantPlan,
  sensitivity: Sensitivity[],
): Promise<Sensitivity[]> {
  if (!asked) return Promise.resolve(sensitivity);
  const red = new Set(tree.traced.report.tests.filter(isRed).map(({ id }) => id));
  return sensitivityInData({ ...tree, ...asked, changed, sensitivity, requirements, red });
}
