import type { FlakeReport } from "../../domain/evidence/flake-report.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { flipsBetween, type RepeatRequest, type RunVaried, repeatTests, saysTheSameShuffled } from "./find-flakes.ts";

interface FairRepeat extends RepeatRequest {
  /** The suite before the change; null when there was none. */
  before: TestReport | null;
  /** Runs tests of the base under other conditions. */
  onBase: RunVaried;
}

/**
 * Tests again under other conditions, and only what the change brought is held against it. A test that flips on the base
 * as well was so before, and so was its file: what the change adds there is of its like. An old test that flips on the
 * result alone must do so once more by itself, where nothing else keeps the machine busy. A base that depends on its
 * order is not shuffled. All of this is looked into only when something flipped.
 */
export async function repeatFairly({ before, onBase, ...request }: FairRepeat): Promise<FlakeReport> {
  const { base: flakes, canShuffle } = request;
  const report = await repeatTests(request);
  if (report.flipped.length === 0 || !before) return report;
  const fairly = (one: FlakeReport) => withoutOld(one, before, onBase, request);
  if (!flakes || !canShuffle || flakes.shuffles !== null) return fairly(report);
  const shuffles = await saysTheSameShuffled(onBase, before, flakes.flaky);
  if (shuffles) return fairly({ ...report, baseShuffles: true });
  return fairly(await repeatTests({ ...request, base: { ...flakes, shuffles } }));
}

async function withoutOld(
  report: FlakeReport,
  before: TestReport,
  onBase: RunVaried,
  { run, after, atOnce = false }: RepeatRequest,
): Promise<FlakeReport> {
  const fileOf = new Map([...before.tests, ...after.tests].map(({ id, file }) => [id, file]));
  const oldFiles = new Set(before.tests.map(({ file }) => file));
  const filesOf = (flips: FlakeReport["flipped"]) =>
    [...new Set(flips.map(({ id }) => fileOf.get(id) ?? ""))].filter((file) => oldFiles.has(file)).sort();
  const files = filesOf(report.flipped);
  if (files.length === 0) return report;
  const others = await repeated(onBase, report.repeats, files, atOnce);
  const old = flipsBetween([before, ...others], new Set(files));
  const unsteady = new Set(filesOf(old));
  const ids = new Set(old.map(({ id }) => id));
  const isOld = new Set(before.tests.map(({ id }) => id));
  const left = report.flipped.filter(
    ({ id }) => !ids.has(id) && (isOld.has(id) || !unsteady.has(fileOf.get(id) ?? "")),
  );
  const doubted = left.filter(({ id }) => isOld.has(id));
  const alone = doubted.length === 0 ? [] : await repeated(run, report.repeats, filesOf(doubted), false);
  const again = new Set(flipsBetween([after, ...alone], new Set(filesOf(doubted))).map(({ id }) => id));
  const flipped = left.filter(({ id }) => !isOld.has(id) || again.has(id));
  const kept = new Set(flipped.map(({ id }) => id));
  const spared = report.flipped.flatMap(({ id }) => (kept.has(id) ? [] : id));
  return { ...report, quarantined: [...new Set([...report.quarantined, ...ids, ...spared])].sort(), flipped };
}

async function repeated(
  run: RunVaried,
  conditions: FlakeReport["repeats"],
  files: string[],
  atOnce: boolean,
): Promise<TestReport[]> {
  if (atOnce) return Promise.all(conditions.map((one) => run(one, files)));
  const reports: TestReport[] = [];
  for (const one of conditions) reports.push(await run(one, files));
  return reports;
}
