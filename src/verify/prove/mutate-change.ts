import type { Mutant, MutantReport } from "../../domain/evidence/mutant-report.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import type { ChangedLines } from "../change/changed-lines.ts";
import { makeMutants } from "../mutants/make-mutants.ts";
import { runMutants } from "../mutants/run-mutants.ts";
import type { ProveParts } from "./prove-parts.ts";
import type { SuiteRunner } from "./suite-runner.ts";

interface MutateRequest {
  parts: ProveParts;
  suite: SuiteRunner;
  tree: string;
  traced: TracedRun;
  /** Groups of tests of which each must notice something. */
  requirements?: { id: string; tests: string[] }[];
  /** Tests that may notice something; absent: all. */
  tests?: string[];
  budgetMs: number;
}

/** A test that turned green because something is there at all must also say what. */
export const WITH_VALUES = { values: true };

/** Mutants of the changed lines, each in a clean checkout of the result. Null when there is nothing to mutate. */
export async function mutateChange(request: MutateRequest & { changed: ChangedLines }): Promise<MutantReport | null> {
  const { parts, tree, changed } = request;
  const mutants: Mutant[] = [];
  for (const [path, lines] of changed) {
    const content = readFrom(parts, tree)(path);
    if (content !== null) mutants.push(...(await makeMutants({ path, content }, lines, parts.parsers, WITH_VALUES)));
  }
  return runThem("the changed lines", mutants, request);
}

/** Runs these mutants of a tree's files. Null when there is none. */
export async function runThem(
  of: string,
  mutants: Mutant[],
  { parts, suite, tree, traced, requirements, tests, budgetMs }: MutateRequest,
): Promise<MutantReport | null> {
  if (mutants.length === 0) return null;
  parts.onProgress(`trying ${mutants.length} ${mutants.length === 1 ? "mutant" : "mutants"} of ${of}`);
  return runMutants({
    mutants,
    read: readFrom(parts, tree),
    baseline: traced,
    ...(tests && { tests }),
    ...(requirements && { requirements }),
    makeWorkspace: async (name) => {
      const directory = await parts.checkout(name, tree);
      return { directory, renew: async () => void (await parts.checkout(name, tree)) };
    },
    language: suite.language,
    toolchain: suite.toolchainFor(tree),
    sandbox: parts.sandbox,
    limits: parts.limits,
    budgetMs,
    signal: parts.signal,
  });
}

export const readFrom =
  ({ artifacts }: Pick<ProveParts, "artifacts">, tree: string) =>
  (path: string): string | null =>
    artifacts.readFile(tree, path)?.toString("utf8") ?? null;
