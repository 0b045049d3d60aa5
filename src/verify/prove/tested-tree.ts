import type { TracedRun } from "../../languages/trace-tests.ts";
import type { TestedTree } from "../measure/mutate-tree.ts";
import type { ProveParts } from "./prove-parts.ts";
import type { SuiteRunner } from "./suite-runner.ts";

/** A tree of the project, where its mutants can be run. */
export function testedTree(parts: ProveParts, suite: SuiteRunner, tree: string, traced: TracedRun): TestedTree {
  const { artifacts, parsers, sandbox, limits, signal } = parts;
  return {
    language: suite.language,
    toolchain: suite.toolchainFor(tree),
    sandbox,
    limits,
    signal,
    parsers,
    traced,
    suiteOf: (path) => suite.suiteOf(tree, path),
    read: (path) => artifacts.readFile(tree, path)?.toString("utf8") ?? null,
    makeWorkspace: async (name) => {
      const directory = await parts.checkout(name, tree);
      return { directory, renew: async () => void (await parts.checkout(name, tree)) };
    },
    onProgress: (text) => parts.onProgress(text),
  };
}
