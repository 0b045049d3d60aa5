import { isRed, type TestReport } from "../../domain/evidence/test-report.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { changedLines } from "../change/changed-lines.ts";
import { spoiled } from "../mutants/spoil-data.ts";

interface DataRequest {
  artifacts: ArtifactStore;
  task: string;
  trees: { base: string; result: string };
  files: readonly ChangedFile[];
  /** Tests that show what the change does, by id. */
  showing: ReadonlySet<string>;
  /** Runs files of tests on a tree. */
  run: (what: string, tree: string, tests: string[]) => Promise<TestReport>;
}

/** So many files of data are tried: each costs a few runs of these tests. */
const MOST_FILES = 4;

/** Files of data in which the tests notice every value that is made another. */
export async function noticedData({ artifacts, task, trees, files, showing, run }: DataRequest): Promise<Set<string>> {
  const noticed = new Set<string>();
  const data = files.filter(({ part, after }) => part === "other" && after?.kind === "file").slice(0, MOST_FILES);
  if (showing.size === 0 || data.length === 0) return noticed;
  const changed = changedLines(artifacts, trees.base, trees.result);
  const tests = [...new Set([...showing].map((id) => id.split("::")[0] ?? id))];
  for (const { path } of data) {
    const content = artifacts.readFile(trees.result, path)?.toString("utf8") ?? "";
    const others = spoiled({ path, content }, changed.get(path) ?? []);
    let all = others.length > 0;
    for (const other of others) {
      const tree = artifacts.overlay(task, trees.result, [{ path, content: other }]);
      const report = await run(`tests with another value in ${path}`, tree, tests);
      all &&= report.tests.some((test) => isRed(test) && showing.has(test.id));
      if (!all) break;
    }
    if (all) noticed.add(path);
  }
  return noticed;
}
