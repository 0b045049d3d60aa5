import type { LineRange } from "../../domain/evidence/line-range.ts";
import type { Mutant, MutantReport } from "../../domain/evidence/mutant-report.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import { makeMutants, type WantedMutants } from "../mutants/make-mutants.ts";
import { mergeMutants } from "../mutants/report-mutants.ts";
import { type MutantRun, runMutants } from "../mutants/run-mutants.ts";
import type { Surroundings } from "../mutants/surroundings.ts";

/** A tree with tests in it, and where it can be run. */
export interface TestedTree extends Surroundings, Pick<MutantRun, "read" | "makeWorkspace"> {
  /** Its tests as they are, with the lines they run. */
  traced: TracedRun;
  parsers: SyntaxParsers;
  /** Of a project with tests in several languages: the one that a file of code belongs to. Null: none of them. */
  suiteOf?: (path: string) => OwnSuite | null;
  /** Tells a person what is under way. */
  onProgress?: (text: string) => void;
  /** Tells how many of the mutants under way are done. */
  onMutants?: (done: number, of: number) => void;
}

/** A language with its tools, and which files are its tests. */
export interface OwnSuite extends Pick<Surroundings, "language" | "toolchain"> {
  takes: (file: string) => boolean;
}

/** Parts of the code, by the suite that runs them: the tree as that suite sees it, and whether a test is one of its. */
export function bySuite<T extends { path: string }>(tree: TestedTree, parts: readonly T[]) {
  const usual: OwnSuite = { language: tree.language, toolchain: tree.toolchain, takes: () => true };
  const suites = new Map<string, OwnSuite>();
  const groups = Map.groupBy(parts, ({ path }) => {
    const suite = tree.suiteOf?.(path) ?? usual;
    suites.set(suite.language.name, suites.get(suite.language.name) ?? suite);
    return suite.language.name;
  });
  return [...groups].map(([name, own]) => {
    const { language, toolchain, takes } = suites.get(name) ?? usual;
    const isOwn = (test: string) => takes(test.split("::")[0] ?? test);
    return { tree: { ...tree, language, toolchain }, parts: own, isOwn };
  });
}

/** Mutants of these lines of one file. None where the tree does not have it. */
export async function mutantsIn(
  { read, parsers }: Pick<TestedTree, "read" | "parsers">,
  path: string,
  lines: readonly LineRange[],
  wanted: WantedMutants,
): Promise<Mutant[]> {
  const content = read(path);
  return content === null ? [] : makeMutants({ path, content }, lines, parsers, wanted);
}

type Asked = Pick<MutantRun, "mutants" | "requirements" | "tests" | "compared" | "budgetMs">;

/** Runs mutants of a tree, each in a clean checkout of it and by the tests in its language. Null when there are none. */
export async function mutateTree(tree: TestedTree, of: string, asked: Asked): Promise<MutantReport | null> {
  const { mutants, budgetMs } = asked;
  if (mutants.length === 0) return null;
  tree.onProgress?.(`trying ${mutants.length} ${mutants.length === 1 ? "mutant" : "mutants"} of ${of}`);
  const green = tree.traced.report.tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id);
  const reports: MutantReport[] = [];
  for (const { tree: own, parts, isOwn } of bySuite(tree, mutants)) {
    const { language, toolchain, sandbox, limits, signal, read, traced: baseline, makeWorkspace } = own;
    const around = { language, toolchain, sandbox, limits, signal, parsers: own.parsers };
    const tests = (asked.tests ?? green).filter(isOwn);
    const share = (budgetMs * parts.length) / mutants.length;
    const run = { ...around, ...asked, tests, mutants: parts, read, baseline, makeWorkspace, budgetMs: share };
    const onProgress: MutantRun["onProgress"] = ({ results, of }) => tree.onMutants?.(results.length, of);
    reports.push(await runMutants({ ...run, onProgress }));
  }
  return mergeMutants(reports);
}
