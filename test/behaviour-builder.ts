import type { BehaviourReport, FunctionBehaviour } from "../src/domain/evidence/behaviour-report.ts";
import type { Mutant } from "../src/domain/evidence/mutant-report.ts";
import type { Language } from "../src/languages/language.ts";
import { openSandbox } from "../src/sandbox/open-sandbox.ts";
import { SyntaxParsers } from "../src/syntax/parse.ts";
import { type ComparedTree, compareBehaviour } from "../src/verify/compare/compare-behaviour.ts";
import type { ChangedName } from "../src/verify/compare/compare-values.ts";
import { makeMutants } from "../src/verify/mutants/make-mutants.ts";
import { LIMITS, SampleProject } from "./sample-project.ts";

type Files = Record<string, string>;

interface Comparison {
  before: Files;
  /** Laid over the files before. */
  after: Files;
  /** `path::name`; a leading `+` is a function that is new. */
  functions?: string[];
  modules?: string[];
  names?: ChangedName[];
  /** Tests turned for the functions. */
  isExpected?: boolean;
  /** The tests that turned. */
  first?: string[];
  /** Tries mutants of these files. */
  mutate?: string[];
}

/** For tests: compares two versions of a small project, whose tests are those after the change. */
export async function compareVersions(language: Language, comparison: Comparison): Promise<BehaviourReport> {
  const files = { before: comparison.before, after: { ...comparison.before, ...comparison.after } };
  using oldTree = new SampleProject(files.before);
  using newTree = new SampleProject(files.after);
  using testTree = new SampleProject(files.after);
  const isTest = (path: string) => language.isTestFile(path);
  const tests = Object.fromEntries(Object.entries(files.after).filter(([path]) => isTest(path)));
  const oldTests = { ...files.before, ...tests };
  using oldTestTree = new SampleProject(oldTests);
  await using sandbox = openSandbox({ backend: "bubblewrap" });
  const parsers = new SyntaxParsers();
  const mutants: Mutant[] = [];
  for (const path of comparison.mutate ?? []) {
    const content = files.after[path] ?? "";
    mutants.push(...(await makeMutants({ path, content }, [{ from: 1, to: 9_999 }], parsers)));
  }
  const trees = { "old-tests": oldTestTree, tests: testTree, before: oldTree, after: newTree };
  const contents = { "old-tests": oldTests, tests: files.after, before: files.before, after: files.after };
  const layOut = async (tree: ComparedTree) => {
    for (const [path, content] of Object.entries(contents[tree])) trees[tree].write(path, content);
    return trees[tree].directory;
  };
  return await compareBehaviour({
    language,
    toolchain: await language.toolchain(newTree.directory),
    sandbox,
    limits: LIMITS,
    signal: new AbortController().signal,
    functions: (comparison.functions ?? []).map(toFunction),
    modules: comparison.modules ?? [],
    names: comparison.names ?? [],
    isExpected: () => comparison.isExpected ?? false,
    first: comparison.first ?? [],
    tests: null,
    layOut,
    read: (path) => files.after[path] ?? null,
    mutants,
    parsers,
    budgetMs: 120_000,
  });
}

function toFunction(text: string) {
  const [path = "", name = ""] = text.replace(/^\+/, "").split("::");
  const place = { path, from: 1, to: 9_999 };
  return { path, name, before: text.startsWith("+") ? null : place, after: place };
}

/** Of one function, what most tests look at. */
export const onlyFunction = ({ functions }: BehaviourReport): FunctionBehaviour => {
  const [first, ...more] = functions;
  if (!first || more.length > 0) throw new Error(`${functions.length} functions were compared`);
  return first;
};
