import type { TestReport } from "../../domain/evidence/test-report.ts";
import { runsInPlace } from "../../domain/settings/settings.ts";
import type { Language } from "../../languages/language.ts";
import { runTests } from "../../languages/run-tests.ts";
import { shimFor } from "../../verify/isolated/program-shim.ts";
import { servePrograms } from "../../verify/isolated/serve-programs.ts";
import { startedPrograms } from "../../verify/isolated/started-programs.ts";
import { baseTree } from "../hands/base-tree.ts";
import type { EngineParts } from "../hands/parts.ts";
import type { Run } from "../hands/run.ts";

interface PlainFile {
  path: string;
  content: string;
}

/** The programs that can run in another sandbox than these tests; null if tests and programs must run together. */
export async function isolatedPrograms(run: Run, tree: string, files: PlainFile[]): Promise<string[] | null> {
  // The process backend has no isolation: everything runs on one machine.
  if (runsInPlace(run.parts.sandbox.backend)) return null;
  return startedPrograms(run.parts.parsers, baseTree(run.parts.artifacts, tree), files);
}

/**
 * Runs the tests in a sandbox without the code of the change, and the programs they start in a sandbox without tests.
 */
export async function runIsolated(
  run: Run,
  {
    tree,
    before,
    language,
    files,
    programs,
  }: { tree: string; before: string; language: Language; files: PlainFile[]; programs: string[] },
): Promise<TestReport> {
  const { artifacts, journal, sandbox, signal } = run.parts;
  const shims = programs.map((path) => ({ path, content: shimFor(path) }));
  const tests = run.parts.checkouts.named("unseen");
  await tests.renew(artifacts.overlay(journal.task, withoutSources(run.parts, before, tree), [...shims, ...files]));
  const toolchain = await run.parts.languages.toolchain(language, run.request.directory, tree);
  const { limits } = run.settings.sandbox;
  const paths = artifacts.list(tree).map((entry) => entry.path);
  const bare = artifacts.withoutPaths(
    journal.task,
    tree,
    paths.filter((path) => language.isTestFile(path)),
  );
  const lay = async (name: string) => {
    const checkout = run.parts.checkouts.named(name);
    await checkout.renew(bare);
    return checkout;
  };
  try {
    await using served = await servePrograms({ sandbox, limits, signal, programs, toolchain, lay });
    const workspace = tests.directory;
    return await runTests({
      language,
      sandbox,
      limits,
      workspace,
      toolchain: { ...toolchain, mounts: [...toolchain.mounts, ...served.mounts] },
      files: files.map(({ path }) => path),
      signal,
    });
  } finally {
    tests.clear();
  }
}

/** The tree with the change's data but without its code: changed source files are as before, or absent. */
function withoutSources({ artifacts, journal }: EngineParts, before: string, tree: string): string {
  const sources = artifacts
    .changes(before, tree)
    .filter(({ path }) => /\.(py|pth|[cm]?[jt]sx?|node|so|sh)$/.test(path));
  return sources.length === 0
    ? tree
    : artifacts.restore(
        journal.task,
        tree,
        before,
        sources.map(({ path }) => path),
      );
}
