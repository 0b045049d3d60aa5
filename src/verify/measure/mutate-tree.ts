import type { LineRange } from "../../domain/evidence/line-range.ts";
import type { Mutant, MutantReport } from "../../domain/evidence/mutant-report.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import { makeMutants } from "../mutants/make-mutants.ts";
import type { Surroundings } from "../mutants/run-batch.ts";
import { type MutantRun, runMutants } from "../mutants/run-mutants.ts";

/** A tree with tests in it, and where it can be run. */
export interface TestedTree extends Surroundings, Pick<MutantRun, "read" | "makeWorkspace"> {
  /** Its tests as they are, with the lines they run. */
  traced: TracedRun;
  parsers: SyntaxParsers;
  /** Tells a person what is under way. */
  onProgress?: (text: string) => void;
}

/** Mutants of these lines of one file. None where the tree does not have it. */
export async function mutantsIn(
  { read, parsers }: Pick<TestedTree, "read" | "parsers">,
  path: string,
  lines: readonly LineRange[],
  values: boolean,
): Promise<Mutant[]> {
  const content = read(path);
  return content === null ? [] : makeMutants({ path, content }, lines, parsers, { values });
}

/** Runs mutants of a tree, each in a clean checkout of it. Null when there are none. */
export async function mutateTree(
  tree: TestedTree,
  of: string,
  { mutants, ...asked }: Pick<MutantRun, "mutants" | "requirements" | "tests" | "compared" | "budgetMs">,
): Promise<MutantReport | null> {
  if (mutants.length === 0) return null;
  tree.onProgress?.(`trying ${mutants.length} ${mutants.length === 1 ? "mutant" : "mutants"} of ${of}`);
  const { language, toolchain, sandbox, limits, signal, read, traced: baseline, makeWorkspace } = tree;
  const around = { language, toolchain, sandbox, limits, signal };
  return runMutants({ ...around, ...asked, mutants, read, baseline, makeWorkspace });
}
