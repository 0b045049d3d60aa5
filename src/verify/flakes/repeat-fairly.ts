import type { FlakeReport } from "../../domain/evidence/flake-report.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import {
  type BaseFlakes,
  flipsBetween,
  type RepeatRequest,
  type RunVaried,
  repeatTests,
  saysTheSameShuffled,
} from "./find-flakes.ts";

interface FairRepeat extends RepeatRequest {
  /** The suite before the change; null when there was none. */
  before: TestReport | null;
  /** Runs tests of the base under other conditions. */
  onBase: RunVaried;
}

/**
 * Tests again under other conditions, and only what the change brought is held against it: a test that flips on the base
 * as well was so before, and a base that depends on its order is not shuffled. Both are looked into only when something
 * flipped.
 */
export async function repeatFairly({ before, onBase, ...request }: FairRepeat): Promise<FlakeReport> {
  const { base: flakes, canShuffle } = request;
  const report = await repeatTests(request);
  if (report.flipped.length === 0 || !before) return report;
  if (!flakes || !canShuffle || flakes.shuffles !== null) return withoutOld(report, before, onBase);
  const shuffles = await saysTheSameShuffled(onBase, before, flakes.flaky);
  const again = (base: BaseFlakes) => repeatTests({ ...request, base });
  const fair = shuffles ? { ...report, baseShuffles: true } : await again({ ...flakes, shuffles });
  return withoutOld(fair, before, onBase);
}

async function withoutOld(report: FlakeReport, before: TestReport, onBase: RunVaried): Promise<FlakeReport> {
  const known = new Map(before.tests.map((test) => [test.id, test]));
  const files = [...new Set(report.flipped.flatMap(({ id }) => known.get(id)?.file ?? []))].sort();
  if (files.length === 0) return report;
  const others: TestReport[] = [];
  for (const condition of report.repeats) others.push(await onBase(condition, files));
  const old = new Set(flipsBetween([before, ...others], new Set(files)).map(({ id }) => id));
  return {
    ...report,
    quarantined: [...new Set([...report.quarantined, ...old])].sort(),
    flipped: report.flipped.filter(({ id }) => !old.has(id)),
  };
}
