import { posix } from "node:path";
import { isRed, type TestReport } from "../../domain/evidence/test-report.ts";
import type { SourceFile } from "../../languages/language.ts";
import type { BaseTree, Missing } from "../../languages/stub.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { findMissing, stubFiles } from "../stubs/make-stubs.ts";
import type { ProveParts } from "./prove-parts.ts";
import type { SuiteRunner } from "./suite-runner.ts";
import { isWholeFile } from "./test-names.ts";

/** A tree with the tests of one side and the code of the other, and what its tests say. */
export interface MixedRun {
  tree: string;
  report: TestReport;
}

/**
 * A file of tests that names something which this version of the code lacks cannot be loaded, and of none of its tests
 * anybody knows anything. So these files run once more, with such names laid in as stubs that only raise: then each test
 * speaks for itself. `other`: the tree whose code has the names.
 */
export async function fillGaps(
  { artifacts, parsers, task }: ProveParts,
  suite: SuiteRunner,
  { tree, report }: MixedRun,
  other: string,
): Promise<MixedRun> {
  const heard = new Set(report.tests.filter((test) => !isWholeFile(test)).map(({ file }) => file));
  const unloaded = report.tests.filter((test) => isWholeFile(test) && isRed(test) && !heard.has(test.file));
  const base = viewOf(artifacts, tree);
  const missing: Missing[] = [];
  const files: string[] = [];
  for (const { file: path } of unloaded) {
    const content = base.read(path);
    if (content === null) continue;
    const found = await findMissing(parsers, { path, content }, base, new Set());
    const own = found.filter((one) => artifacts.readFile(other, one.path) !== null);
    if (own.length > 0) files.push(path);
    missing.push(...own);
  }
  const stubs = stubFiles(missing, "raising", base).filter((stub) => isAppended(stub, base));
  if (stubs.length === 0) return { tree, report };
  const filled = artifacts.overlay(task, tree, stubs);
  const again = await suite.runFiles("test files that name what is not there", filled, files);
  if (again.ending !== "completed") return { tree, report };
  const tests = [...report.tests.filter(({ file }) => !files.includes(file)), ...again.tests];
  return { tree: filled, report: { ...report, tests } };
}

/** Everything that stood in the file stands where it stood. */
const isAppended = ({ path, content }: SourceFile, base: BaseTree): boolean =>
  content.startsWith(base.read(path)?.trimEnd() ?? "");

function viewOf(artifacts: ArtifactStore, tree: string): BaseTree {
  const paths = new Set(artifacts.list(tree).map(({ path }) => path));
  return {
    has: (path) => paths.has(path),
    hasDirectory: (path) => [...paths].some((one) => one.startsWith(`${path}/`)),
    read: (path) => artifacts.readFile(tree, path)?.toString("utf8") ?? null,
    list: (directory) => [...paths].filter((path) => posix.dirname(path) === (directory === "" ? "." : directory)),
  };
}
