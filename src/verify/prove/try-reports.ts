import type { IntegrityFinding } from "../../domain/evidence/evidence-document.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { alterTests, greenIn, pleasedFindings } from "./altered-tests.ts";
import { makeCanary } from "./canary.ts";
import type { ProveParts } from "./prove-parts.ts";
import type { SuiteRunner } from "./suite-runner.ts";

interface TryRequest {
  parts: Pick<ProveParts, "artifacts" | "task" | "parsers">;
  suite: SuiteRunner;
  taken: { base: string; result: string };
  files: ChangedFile[];
  before: TestReport | null;
  after: TestReport;
}

/** Whether what tests report can be believed: one run of tests that must fail, and of those that expect another value. */
export async function tryReports({
  parts,
  suite,
  taken,
  files,
  before,
  after,
}: TryRequest): Promise<IntegrityFinding[]> {
  const { artifacts, task } = parts;
  const isCode = files.some(({ part }) => part === "source");
  const green = greenIn(after);
  const canary = makeCanary(
    suite.toolchainFor(taken.result).runner,
    files,
    (path) => artifacts.readFile(taken.result, path)?.toString("utf8") ?? null,
  );
  const altered = isCode ? await alterTests(parts, taken.result, green) : { files: [], names: new Set<string>() };
  const run = (what: string, tree: string, own: { path: string; content: string }[]) =>
    suite.runFiles(
      what,
      artifacts.overlay(task, tree, own),
      own.map(({ path }) => path),
    );
  const own = [...(canary ? [canary.file] : []), ...altered.files];
  if (own.length === 0) return [];
  const report = await run("tests that must fail, beside the changed modules", taken.result, own);
  // Tests that expect something else may do anything, such as ending the process: the canary then runs alone.
  const isDoubted = canary !== null && canary.finding(report) !== null && altered.files.length > 0;
  const alone = isDoubted ? await run("one of them alone", taken.result, [canary.file]) : report;
  const forged = canary?.finding(alone);
  const suspects = [...greenIn(report)].filter((id) => altered.names.has(id) && green.has(id));
  const pleased =
    suspects.length === 0
      ? []
      : pleasedFindings(suspects, await run("these on the old code", taken.base, altered.files), before);
  return [...(forged ? [forged] : []), ...pleased];
}
