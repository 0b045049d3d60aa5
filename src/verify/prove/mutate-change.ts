import type { Mutant, MutantReport } from "../../domain/mutant-report.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import type { ChangedLines } from "../changed-lines.ts";
import { makeMutants } from "../mutants/make-mutants.ts";
import { runMutants } from "../mutants/run-mutants.ts";
import { TURNED } from "./judge-change.ts";
import type { ProveParts } from "./prove-parts.ts";
import type { SuiteRunner } from "./suite-runner.ts";

interface MutateRequest {
  parts: ProveParts;
  suite: SuiteRunner;
  tree: string;
  changed: ChangedLines;
  read: (path: string) => string | null;
  traced: TracedRun;
  /** Tests that turned from red to green: they must notice something. */
  turned: string[];
  budgetMs: number;
}

/** Mutants of the changed lines, each in a clean checkout of the result. Null when there is nothing to mutate. */
export async function mutateChange(request: MutateRequest): Promise<MutantReport | null> {
  const { parts, suite, tree, changed, read, traced, turned, budgetMs } = request;
  const mutants: Mutant[] = [];
  for (const [path, lines] of changed) {
    const content = read(path);
    if (content !== null) mutants.push(...(await makeMutants({ path, content }, lines, parts.parsers)));
  }
  if (mutants.length === 0) return null;
  parts.onProgress(`trying ${mutants.length} ${mutants.length === 1 ? "mutant" : "mutants"} of the changed lines`);
  return runMutants({
    mutants,
    read,
    baseline: traced,
    ...(turned.length > 0 && { requirements: [{ id: TURNED, tests: turned }] }),
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
