import { isRed, type TestReport } from "../domain/evidence/test-report.ts";
import { fail } from "../domain/failure.ts";
import type { LanguageName } from "../domain/plan/spec.ts";
import type { TaskSummary } from "../domain/task/task.ts";
import { runTests } from "../languages/run-tests.ts";
import type { ProveParts } from "../verify/prove/prove-parts.ts";
import type { ArtifactStore } from "../workspace/artifact-store.ts";
import type { ProvingOptions } from "./proving.ts";

/** A result, and the tree that it began from. */
export interface FinishedResult {
  base: string;
  result: string;
  /** The same with the tests that the coder did not see: they judge, too. */
  full: string;
  /** Of its tests; null where nobody knows it. */
  language: LanguageName | null;
}

/** The person's directory as it is, and with the result in it. */
export interface MergedResult {
  now: string;
  tree: string;
}

interface MergingApp {
  artifacts: ArtifactStore;
  proving<T>(options: ProvingOptions, work: (parts: ProveParts) => Promise<T>): Promise<T>;
}

/**
 * Merges a result with what the person changed since it was begun: three-way, file by file. The merged tree is another
 * one than was proven, so all tests run on it. Throws where both changed the same lines, or where a test turned red.
 */
export async function mergeResult(
  app: MergingApp,
  task: TaskSummary,
  { base, result, full, language }: FinishedResult,
  { judge, ...options }: ProvingOptions & { judge: boolean },
): Promise<MergedResult> {
  const { artifacts } = app;
  const { id: now } = await artifacts.importTree(task.id, task.directory);
  const merge = async (theirs: string): Promise<string> => {
    const merged = await artifacts.merge(task.id, base, now, theirs);
    if ("id" in merged) return merged.id;
    const paths = merged.conflicts.slice(0, 5).join(", ");
    const what = `you and task ${task.id} changed the same lines of ${paths}`;
    throw fail(
      "policy",
      "apply.conflict",
      `nothing was written: ${what}; \`miracle diff ${task.id}\` shows its change`,
      {
        detail: merged.conflicts.join("\n"),
      },
    );
  };
  const tree = await merge(result);
  if (!judge) return { now, tree };
  if (language === null) {
    const message = "nothing was written: without a plan nothing can judge the merged files; --unproven writes them";
    throw fail("policy", "apply.unjudged", message);
  }
  const judged = full === result ? tree : await merge(full);
  await app.proving(options, async (parts) => {
    const report = (of: string, name: string) => suiteOf(parts, task.directory, of, name, language);
    options.onProgress("running the tests on your files as they are");
    const before = await report(now, "now");
    options.onProgress("running the tests on the merged files");
    const merged = await report(judged, "merged");
    refuseBroken(before, merged);
    options.onProgress(`merged: ${merged.tests.filter(({ outcome }) => outcome === "passed").length} tests passed`);
  });
  return { now, tree };
}

async function suiteOf(
  { languages, sandbox, limits, signal, checkout }: ProveParts,
  directory: string,
  tree: string,
  name: string,
  languageName: LanguageName,
): Promise<TestReport> {
  const language = languages.named(languageName);
  const workspace = await checkout(name, tree);
  const toolchain = await languages.toolchain(language, directory, tree);
  return runTests({ language, sandbox, limits, workspace, toolchain, files: [], signal });
}

/** What is red in the merged files must have been red in the person's own. */
function refuseBroken(before: TestReport, merged: TestReport): void {
  const red = new Set(before.tests.filter(isRed).map(({ id }) => id));
  const broken = merged.tests.filter((test) => isRed(test) && !red.has(test.id)).map(({ id }) => id);
  const why =
    merged.ending !== "completed"
      ? `the tests of the merged files did not come to their end (${merged.ending})`
      : broken.length > 0
        ? `the merged files turn ${broken.slice(0, 5).join(", ")} red`
        : undefined;
  if (why !== undefined) throw fail("policy", "apply.merged-red", `nothing was written: ${why}`);
}
