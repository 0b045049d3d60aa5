import { isRed } from "../../domain/evidence/test-report.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { changedLines } from "../change/changed-lines.ts";
import { spoiled } from "../mutants/spoil-data.ts";
import type { SuiteRunner } from "./suite-runner.ts";

interface DataRequest {
  artifacts: ArtifactStore;
  task: string;
  suite: SuiteRunner;
  taken: { base: string; result: string };
  files: readonly ChangedFile[];
  /** Tests that turned from red to green. */
  turned: readonly string[];
}

/** So many files of data are tried: each costs a few runs of the tests that turned. */
const MOST_FILES = 4;

/** Files of data in which tests that turned green notice every value that is made another. */
export async function noticedData({ artifacts, task, suite, taken, files, turned }: DataRequest): Promise<Set<string>> {
  const noticed = new Set<string>();
  const data = files.filter(({ part, after }) => part === "other" && after?.kind === "file").slice(0, MOST_FILES);
  if (turned.length === 0 || data.length === 0) return noticed;
  const changed = changedLines(artifacts, taken.base, taken.result);
  const tests = [...new Set(turned.map((id) => id.split("::")[0] ?? id))];
  for (const { path } of data) {
    const content = artifacts.readFile(taken.result, path)?.toString("utf8") ?? "";
    const others = spoiled({ path, content }, changed.get(path) ?? []);
    let all = others.length > 0;
    for (const other of others) {
      const tree = artifacts.overlay(task, taken.result, [{ path, content: other }]);
      const report = await suite.runFiles(`tests with another value in ${path}`, tree, tests);
      all &&= report.tests.some((test) => isRed(test) && turned.includes(test.id));
      if (!all) break;
    }
    if (all) noticed.add(path);
  }
  return noticed;
}
