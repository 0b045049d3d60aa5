import { isRed, type TestReport } from "../../domain/evidence/test-report.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { otherValues } from "../mutants/other-values.ts";
import { textOf } from "./texts-of-tree.ts";

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

/** Files of data in which the tests notice every changed value when it is another. */
export async function noticedData({ artifacts, task, trees, files, showing, run }: DataRequest): Promise<Set<string>> {
  const noticed = new Set<string>();
  const data = files.filter(({ part, after }) => part === "other" && after?.kind === "file").slice(0, MOST_FILES);
  if (showing.size === 0 || data.length === 0) return noticed;
  const tests = [...new Set([...showing].map((id) => id.split("::")[0] ?? id))];
  for (const { path, before } of data) {
    const content = artifacts.readFile(trees.result, path)?.toString("utf8") ?? "";
    const others = otherValues({ path, content }, textOf(artifacts, before) ?? "") ?? [];
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
