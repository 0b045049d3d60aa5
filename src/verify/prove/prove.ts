import {
  EVIDENCE_FORMAT,
  type EvidenceDocument,
  type IntegrityFinding,
  suiteRunOf,
} from "../../domain/evidence/evidence-document.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { type ChangedFile, sortChange } from "../change/change-parts.ts";
import type { ChangedLines } from "../change/changed-lines.ts";
import { changedMeaning } from "../change/changed-units.ts";
import { deletedSources } from "../change/deleted-sources.ts";
import { linesOfChange } from "../change/lines-of-change.ts";
import { testsOfLines, watchedPaths } from "../coverage/changed-line-coverage.ts";
import { hashTests } from "../evidence/hash-tests.ts";
import { runAccept } from "./accept.ts";
import { scriptFindings } from "./accept-scripts.ts";
import { chooseLanguage } from "./choose-language.ts";
import { type ComparedTests, compareChange } from "./compare-change.ts";
import { configFindings, steersTests } from "./config-findings.ts";
import { judgeChange } from "./judge-change.ts";
import { isRefused, measureChange } from "./measure-change.ts";
import { type MixedTrees, mixTrees } from "./mixed-trees.ts";
import type { ProveParts, ProveRequest } from "./prove-parts.ts";
import { runSuites, type SuiteRuns } from "./run-suites.ts";
import { scanChange } from "./scan-change.ts";
import { Stages } from "./stages.ts";
import { SuiteRunner } from "./suite-runner.ts";
import { takeChange } from "./take-change.ts";
import { tryReports } from "./try-reports.ts";

/** Judges a change by what can be run: before and after, and each version of the tests on each version of the code. */
export async function prove(request: ProveRequest, parts: ProveParts): Promise<EvidenceDocument> {
  const { artifacts, task } = parts;
  const stages = new Stages();
  const taken = await stages.time("taking the change", () =>
    takeChange(artifacts, task, request.directory, request.base),
  );
  const changes = artifacts.changes(taken.base, taken.result);
  const language = chooseLanguage(
    parts,
    taken.result,
    changes.map(({ path }) => path),
  );
  const files = sortChange(artifacts, taken.base, changes, language);
  parts.onProgress(`the change since ${taken.since}: ${files.length} ${files.length === 1 ? "file" : "files"}`);

  const toolchain = await stages.time("tools", () => parts.languages.toolchain(language, request.directory));
  const suite = language && new SuiteRunner(parts, language, toolchain);
  const meaning = await changedMeaning(artifacts, parts.parsers, files);
  const mixed = mixTrees(artifacts, task, taken, files);
  const changed = linesOfChange(artifacts, taken, files, meaning);
  const watched = { base: [...new Set(meaning.units.map(({ path }) => path))], result: watchedPaths(changed) };
  const runs = suite && (await stages.time("suites", () => runSuites(suite, taken, mixed, watched)));
  const told = await stages.time("comparing the tests", () =>
    compareRuns(parts, suite, taken, mixed, files, runs, request),
  );
  const compared = await stages.time("trying the reports", () =>
    tried(parts, suite, taken, files, changed, runs, told),
  );
  const accept = await stages.time("accepted commands", () =>
    runAccept(parts, toolchain, taken, request.accept, files),
  );
  const { newTestsOnOldCode } = mixed;
  const change = {
    request,
    parts,
    suite,
    taken,
    newTestsOnOldCode,
    files,
    changed,
    meaning,
    runs,
    compared,
    accept,
    stages,
  };
  const measured = await measureChange(change);
  const scans = await stages.time("scan", () => scanChange(parts, files));
  const { kind, verdict } = judgeChange({
    ...measured,
    scans,
    parts: files.map(({ part }) => part),
    deletedSources: deletedSources(artifacts, files),
    isSameMeaning: meaning.units.length === 0 && meaning.added === 0,
    compared,
    before: runs?.before ?? null,
    after: runs?.after ?? null,
    accept,
    mutationScore: request.mutationScore,
  });
  return {
    format: EVIDENCE_FORMAT,
    producer: "prove",
    at: parts.clock(),
    verdict,
    kind,
    change: { since: taken.since, files: files.map(({ path, change, part }) => ({ path, change, part })) },
    requirements: [],
    tests: compared.tests,
    suite: runs && { command: suiteCommand(runs), before: suiteRunOf(runs.before), after: suiteRunOf(runs.after) },
    accept,
    integrity: [...compared.integrity, ...scriptFindings(request.accept, files)],
    mutants: measured.mutants,
    baseMutants: measured.base?.report ?? null,
    coverage: measured.coverage,
    flakes: measured.flakes,
    scans,
    approvals: [],
    disputes: [],
    stages: stages.list(),
    limits: { ...parts.limits, mutantBudgetMs: request.budgetMs, mutationScore: request.mutationScore },
    hashes: {
      baseTree: taken.base,
      resultTree: taken.result,
      tests: hashTests(artifacts, taken.result, (path) => language?.isTestFile(path) ?? false),
      journal: [],
      prompts: {},
    },
    versions: { miracle: parts.version, ...toolchain.versions },
    sandbox: parts.sandbox.backend,
    models: {},
    sameModel: null,
    notes: taken.notes,
    notChecked: [...compared.undone, ...measured.notChecked, ...NEEDS_A_SPEC],
  };
}

/** What only somebody who knows the goal can check. */
const NEEDS_A_SPEC = [
  { check: "requirements", why: "there is no spec: nobody said what the change is for" },
  { check: "held-out tests", why: "there is no spec to write tests from that the author of the change has not seen" },
  { check: "disputes", why: "there is no spec that could decide between a test and the code" },
];

/** Whether what the tests report can be believed. */
async function tried(
  parts: ProveParts,
  suite: SuiteRunner | null,
  taken: { base: string; result: string },
  files: ChangedFile[],
  changed: ChangedLines,
  runs: SuiteRuns | null,
  compared: ComparedTests,
): Promise<ComparedTests> {
  if (!suite || runs?.after?.ending !== "completed" || isRefused(compared)) return compared;
  const looking = runs.resultTraced && testsOfLines(runs.resultTraced, changed);
  const asked = { parts, suite, taken, files, after: runs.after, looking: looking && new Set(looking) };
  const { findings, insensitive, undone } = await tryReports(asked);
  const tests = compared.tests.map((test) => (insensitive.has(test.id) ? { ...test, role: "void" as const } : test));
  return {
    ...compared,
    tests,
    integrity: [...compared.integrity, ...findings],
    undone: [...compared.undone, ...undone],
  };
}

async function compareRuns(
  parts: ProveParts,
  suite: SuiteRunner | null,
  taken: { base: string; result: string },
  mixed: MixedTrees,
  files: ChangedFile[],
  runs: SuiteRuns | null,
  { superseded, budgetMs }: ProveRequest,
): Promise<ComparedTests> {
  const { artifacts } = parts;
  const config = configFindings(artifacts, files);
  if (!suite || !runs?.after) {
    const lost = runs?.before ? [allGone(runs.before)] : [];
    return { tests: [], integrity: [...config, ...lost], lost: [], questions: [], undone: [] };
  }
  const steered = files.some((file) => steersTests(artifacts, file));
  const compared = await compareChange({
    parts,
    suite,
    taken,
    mixed,
    files,
    runs: { ...runs, after: runs.after },
    flaky: runs.base?.flaky ?? [],
    superseded,
    steered,
    budgetMs,
  });
  return {
    ...withoutSteered(compared, steered ? runs.oldConfig : null),
    integrity: [...config, ...compared.integrity],
  };
}

/** A new test that is green only with configuration of the change that steers tests shows nothing. */
function withoutSteered(compared: ComparedTests, oldConfig: TestReport | null): ComparedTests {
  if (!oldConfig) return compared;
  const green = new Set(oldConfig.tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id));
  const tests = compared.tests.map((test) =>
    test.role === "red-to-green" && !green.has(test.id) ? { ...test, role: "void" as const } : test,
  );
  return { ...compared, tests };
}

const allGone = (before: TestReport): IntegrityFinding => ({
  code: "test.deleted",
  weight: "tampering",
  message: `all ${before.tests.length} tests of the base are gone`,
});

const suiteCommand = ({ after, before }: SuiteRuns): string => after?.command ?? before?.command ?? "";
