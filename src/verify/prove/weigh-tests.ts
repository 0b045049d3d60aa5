import type { IntegrityFinding } from "../../domain/evidence/evidence-document.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import type { ChangedLines } from "../change/changed-lines.ts";
import type { ChangedMeaning } from "../change/changed-units.ts";
import { testsOfLines } from "../coverage/changed-line-coverage.ts";
import type { Asked } from "./asked.ts";
import { type ComparedTests, compareChange } from "./compare-change.ts";
import { isRefused } from "./measure-change.ts";
import type { Measurements } from "./measurements.ts";
import type { ProveParts } from "./prove-parts.ts";
import { Slots } from "./slots.ts";
import type { SuiteRunner } from "./suite-runner.ts";
import { TriedReports, tryReports } from "./try-reports.ts";
import type { WhereTheyRan } from "./where-they-run.ts";

interface TestsToWeigh {
  parts: ProveParts;
  measurements: Measurements;
  suite: SuiteRunner | null;
  files: ChangedFile[];
  /** What the changed files of the tests mean. */
  meaning: ChangedMeaning;
  asked: Asked;
  /** The base as it is; its tests may run on it with more files laid in. */
  base: string;
  ran: WhereTheyRan;
  /** Lines of the code that do something else than before. */
  changed: ChangedLines;
  /** What the change does to the configuration of the tests. */
  config: IntegrityFinding[];
}

/** What the tests of both sides are worth, and whether what they report can be believed. */
export async function weighTests(weigh: TestsToWeigh): Promise<ComparedTests> {
  const checks = Slots.forChecks(weigh.parts.sandbox);
  const [compared, tried] = await Promise.all([
    checks.use(() => compareRuns(weigh)),
    checks.use(() => triedReports(weigh)),
  ]);
  if (tried === null || isRefused(compared)) return compared;
  const { findings, insensitive, undone } = tried;
  const tests = compared.tests.map((test) => (insensitive.has(test.id) ? { ...test, role: "void" as const } : test));
  return {
    ...compared,
    tests,
    integrity: [...compared.integrity, ...findings],
    undone: [...compared.undone, ...undone],
  };
}

/** Null: there is nothing to try. */
async function triedReports(weigh: TestsToWeigh): Promise<TriedReports | null> {
  const { parts, measurements, suite, files, changed } = weigh;
  const { runs, trees: taken } = weigh.ran;
  const after = runs?.after;
  if (!suite || after?.ending !== "completed") return null;
  const looking = runs?.resultTraced ? testsOfLines(runs.resultTraced, changed) : null;
  return measurements.take(
    "trying the reports",
    TriedReports,
    () => tryReports({ parts, suite, taken, files, after, looking: looking && new Set(looking) }),
    { ...taken, looking },
  );
}

async function compareRuns(weigh: TestsToWeigh): Promise<ComparedTests> {
  const { parts, measurements, suite, base, ran, files, meaning, asked, config } = weigh;
  const { runs, trees: taken } = ran;
  if (!suite || !runs?.after) {
    const lost = runs?.before ? [allGone(runs.before)] : [];
    return { tests: [], integrity: [...config, ...lost], lost: [], questions: [], undone: [] };
  }
  const { superseded, budgetMs } = asked;
  const compared = await compareChange({
    parts,
    measurements,
    suite,
    base,
    taken,
    files,
    meaning,
    runs: { ...runs, after: runs.after },
    flaky: runs.base?.flaky ?? [],
    superseded,
    budgetMs,
  });
  return { ...compared, integrity: [...config, ...compared.integrity] };
}

const allGone = (before: TestReport): IntegrityFinding => ({
  code: "test.deleted",
  weight: "tampering",
  message: `all ${before.tests.length} tests of the base are gone`,
});
