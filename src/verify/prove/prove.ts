import {
  EVIDENCE_FORMAT,
  type EvidenceDocument,
  type IntegrityFinding,
  suiteRunOf,
} from "../../domain/evidence/evidence-document.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { Language } from "../../languages/language.ts";
import { grammarOf } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { Entry } from "../../workspace/tree.ts";
import { type ChangedFile, sortChange } from "../change/change-parts.ts";
import { changedMeaning } from "../change/changed-units.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { hashTests } from "../evidence/hash-tests.ts";
import { runAccept } from "./accept.ts";
import { acceptNotices } from "./accept-notices.ts";
import { scriptFindings } from "./accept-scripts.ts";
import { accountChange } from "./account-change.ts";
import { INSENSITIVE } from "./altered-tests.ts";
import { chooseLanguage } from "./choose-language.ts";
import { type ComparedTests, compareTests } from "./compare-tests.ts";
import { configFindings, steersTests } from "./config-findings.ts";
import { judgeChange, turned } from "./judge-change.ts";
import { isRefused, measureChange } from "./measure-change.ts";
import { mixTrees } from "./mixed-trees.ts";
import { noticedData } from "./notice-data.ts";
import { outlineChange } from "./outline-change.ts";
import type { ProveParts, ProveRequest } from "./prove-parts.ts";
import { runSuites, type SuiteRuns } from "./run-suites.ts";
import { scanChange } from "./scan-change.ts";
import { Stages } from "./stages.ts";
import { SuiteRunner } from "./suite-runner.ts";
import { takeChange } from "./take-change.ts";
import { tryReports } from "./try-reports.ts";

/** Judges a change by what can be run: before and after, and each version of the tests on each version of the code. */
export async function prove(request: ProveRequest, parts: ProveParts): Promise<EvidenceDocument> {
  const { artifacts, task, parsers } = parts;
  const stages = new Stages();
  const taken = await stages.time("taking the change", () =>
    takeChange(artifacts, task, request.directory, request.base),
  );
  const changed = artifacts.changes(taken.base, taken.result);
  const language = chooseLanguage(
    parts,
    taken.result,
    changed.map(({ path }) => path),
  );
  const files = sortChange(artifacts, taken.base, changed, language);
  parts.onProgress(`the change since ${taken.since}: ${files.length} ${files.length === 1 ? "file" : "files"}`);

  const toolchain = await stages.time("tools", () => parts.languages.toolchain(language, request.directory));
  const suite = language && new SuiteRunner(parts, language, toolchain);
  const { sandbox, limits, signal } = parts;
  const around = { toolchain, sandbox, limits, signal, parsers };
  const changes = await stages.time("reading the change", () => changedMeaning(artifacts, around, taken, files));
  const units = changes.changes.filter(({ relation }) => relation !== "same" && relation !== "inert");
  const mixed = mixTrees(artifacts, task, taken, files);
  const watched = watchedOf(units);
  const runs = suite && (await stages.time("suites", () => runSuites(suite, taken, mixed, watched)));
  const compared = await stages.time("trying the reports", () =>
    comparedAndTried(parts, suite, taken, files, runs, request),
  );
  const accept = await stages.time("accepted commands", () =>
    runAccept(parts, toolchain, taken, request.accept, files),
  );
  const measured = await measureChange({
    request,
    parts,
    suite,
    taken,
    files,
    units,
    runs,
    compared,
    stages,
  });
  const scans = await stages.time("scan", () => scanChange(parts, files));
  const turnedTests = compared.tests.filter(({ role }) => role === "red-to-green").map(({ id }) => id);
  const noticed =
    suite && !isRefused(compared)
      ? await stages.time("data", () => noticedData({ artifacts, task, suite, taken, files, turned: turnedTests }))
      : new Set<string>();
  const byTests = accountChange({
    files,
    changes,
    leftOut: taken.leftOut,
    compared,
    measured,
    behaviour: measured.behaviour?.functions ?? [],
    noticed,
    text: (file, side) => textOf(artifacts, file[side]),
    sources: sourcesOf(artifacts, taken.result, language),
    mutationScore: request.mutationScore,
    leave: request.leave,
  });
  const account = await stages.time("accepted commands", () =>
    acceptNotices({
      parts,
      toolchain,
      result: taken.result,
      commands: accept.filter(turned).map(({ command }) => command),
      account: byTests,
      budgetMs: request.budgetMs,
    }),
  );
  const { kind, verdict } = judgeChange({
    account,
    compared,
    before: runs?.before ?? null,
    after: runs?.after ?? null,
    accept,
    flakes: measured.flakes,
    scans,
  });
  return {
    format: EVIDENCE_FORMAT,
    producer: "prove",
    at: parts.clock(),
    verdict,
    kind,
    change: { since: taken.since, files: files.map(({ path, change, part }) => ({ path, change, part })) },
    account,
    ...(measured.behaviour && { behaviour: measured.behaviour.functions }),
    requirements: [],
    tests: compared.tests,
    suite: runs && { command: suiteCommand(runs), before: suiteRunOf(runs.before), after: suiteRunOf(runs.after) },
    accept,
    integrity: [...compared.integrity, ...scriptFindings(request.accept, files)],
    mutants: measured.mutants,
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
    notChecked: [...measured.notChecked, ...NEEDS_A_SPEC],
  };
}

/** Paths of each side whose lines are to be watched. */
const watchedOf = (units: readonly UnitChange[]) => ({
  base: [...new Set(units.filter(({ before }) => before !== null).flatMap(({ oldPath }) => oldPath ?? []))],
  result: [...new Set(units.filter(({ after }) => after !== null).map(({ path }) => path))],
});

/** Null for what is not there, a link, or no text. */
function textOf(artifacts: ArtifactStore, entry: Entry | null): string | null {
  if (entry?.kind !== "file") return null;
  const content = artifacts.readBlob(entry.id);
  return content.includes(0) ? null : content.toString("utf8");
}

/** The texts of the project's code, tests apart, read when somebody asks. */
function sourcesOf(artifacts: ArtifactStore, tree: string, language: Language | null): () => readonly string[] {
  let known: string[] | undefined;
  return () => {
    known ??= artifacts
      .list(tree)
      .filter(({ path, kind }) => kind === "file" && grammarOf(path) !== null && !language?.isTestFile(path))
      .flatMap(({ id }) => artifacts.readBlob(id).toString("utf8"));
    return known;
  };
}

/** What only somebody who knows the goal can check. */
const NEEDS_A_SPEC = [
  { check: "requirements", why: "there is no spec: nobody said what the change is for" },
  { check: "held-out tests", why: "there is no spec to write tests from that the author of the change has not seen" },
  { check: "disputes", why: "there is no spec that could decide between a test and the code" },
];

/** What the runs say of the tests, and whether the runs themselves can be believed. */
async function comparedAndTried(
  parts: ProveParts,
  suite: SuiteRunner | null,
  taken: { base: string; result: string },
  files: ChangedFile[],
  runs: SuiteRuns | null,
  request: ProveRequest,
): Promise<ComparedTests> {
  const compared = await compareRuns(parts, files, runs, request);
  if (!suite || runs?.after?.ending !== "completed" || isRefused(compared)) return compared;
  const tried = await tryReports({ parts, suite, taken, files, before: runs.before, after: runs.after });
  const insensitive = new Set(tried.flatMap(({ code, test }) => (code === INSENSITIVE && test ? [test] : [])));
  const tests = compared.tests.map((test) =>
    test.role === "red-to-green" && insensitive.has(test.id) ? { ...test, role: "void" as const } : test,
  );
  return { ...compared, tests, integrity: [...compared.integrity, ...tried] };
}

async function compareRuns(
  parts: ProveParts,
  files: ChangedFile[],
  runs: SuiteRuns | null,
  { superseded }: ProveRequest,
): Promise<ComparedTests> {
  const { artifacts, parsers } = parts;
  const config = configFindings(artifacts, files);
  if (!runs?.after) {
    const lost = runs?.before ? [allGone(runs.before)] : [];
    return { tests: [], integrity: [...config, ...lost], changedExpectations: [] };
  }
  const compared = compareTests({
    runs: { ...runs, after: runs.after },
    outlines: await outlineChange(artifacts, files, parsers),
    flaky: new Set(runs.base?.flaky),
    superseded,
    configChanged: config.length > 0,
  });
  const steered = files.some((file) => steersTests(artifacts, file)) ? runs.oldConfig : null;
  return { ...withoutSteered(compared, steered), integrity: [...config, ...compared.integrity] };
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
