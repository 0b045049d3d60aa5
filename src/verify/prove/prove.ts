import {
  EVIDENCE_FORMAT,
  type EvidenceDocument,
  type IntegrityFinding,
  suiteRunOf,
} from "../../domain/evidence/evidence-document.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { Language, ReadBy } from "../../languages/language.ts";
import { grammarOf } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { Entry } from "../../workspace/tree.ts";
import { type ChangedFile, sortChange } from "../change/change-parts.ts";
import type { ChangedLines } from "../change/changed-lines.ts";
import { changedMeaning } from "../change/changed-units.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { partsByReads } from "../change/parts-by-reads.ts";
import { testsOfLines } from "../coverage/changed-line-coverage.ts";
import { hashTests } from "../evidence/hash-tests.ts";
import { judgingTree } from "../integrity/judging-tree.ts";
import { runAccept } from "./accept.ts";
import { acceptNotices } from "./accept-notices.ts";
import { scriptFindings } from "./accept-scripts.ts";
import { accountChange } from "./account-change.ts";
import { chooseLanguages } from "./choose-language.ts";
import { type ComparedTests, compareChange } from "./compare-change.ts";
import { configFindings } from "./config-findings.ts";
import { judgeChange, turned } from "./judge-change.ts";
import { isRefused, linesOfUnits, measureChange } from "./measure-change.ts";
import { noticedData } from "./notice-data.ts";
import { openSuites } from "./open-suites.ts";
import type { ProveParts, ProveRequest } from "./prove-parts.ts";
import type { SuiteRuns } from "./run-suites.ts";
import { scanChange } from "./scan-change.ts";
import { Stages } from "./stages.ts";
import { SuiteRunner } from "./suite-runner.ts";
import { takeChange } from "./take-change.ts";
import { tryReports } from "./try-reports.ts";
import { runWhereTheyRun, type WhereTheyRan } from "./where-they-run.ts";
import { witnessTurned } from "./witness-turned.ts";

/** Judges a change by what can be run: before and after, and each version of the tests on each version of the code. */
export async function prove(request: ProveRequest, parts: ProveParts): Promise<EvidenceDocument> {
  const { artifacts, task, parsers } = parts;
  const stages = new Stages();
  const taken = await stages.time("taking the change", () =>
    takeChange(artifacts, task, request.directory, request.base),
  );
  const changed = artifacts.changes(taken.base, taken.result);
  const languages = chooseLanguages(
    parts,
    [taken.base, taken.result],
    changed.map(({ path }) => path),
  );
  const [language = null] = languages;
  const isTest = (path: string) => languages.some((one) => one.isTestFile(path));
  const sorted = await sortChange(artifacts, parsers, taken, isTest);
  parts.onProgress(`the change since ${taken.since}: ${sorted.length} ${sorted.length === 1 ? "file" : "files"}`);

  const { toolchain, inTree, others, notRun, missing } = await stages.time("tools", () =>
    openSuites(parts, languages, request.directory, taken),
  );
  const suite = language && new SuiteRunner(parts, { language, inTree }, others);
  const { sandbox, limits, signal } = parts;
  const around = { toolchain, sandbox, limits, signal, parsers };
  const judging = await judgingTree(parts, taken, sorted, isTest);
  // The result as its tests run: with the settings of the base.
  const plain = { base: taken.base, result: judging.tree };
  const look = async (files: ChangedFile[]) => {
    const changes = await stages.time("reading the change", () => changedMeaning(artifacts, around, taken, files));
    const units = changes.changes.filter(({ relation }) => relation !== "same" && relation !== "inert");
    const watched = watchedOf(units);
    const ran = await stages.time("suites", () =>
      runWhereTheyRun(parts, request.directory, suite, plain, files, watched),
    );
    return { files, changes, units, ran };
  };
  const first = await look(sorted);
  // What the runs opened says better than names whose each file is.
  const known = partsByReads(sorted, readsOf(first.ran.runs), isTest);
  const isOther = known.some(({ part }, index) => part !== sorted[index]?.part);
  const { files, changes, units, ran } = isOther ? await look(known) : first;
  const { runs, trees: judged } = ran;
  const told = await stages.time("comparing the tests", () =>
    compareRuns(parts, suite, ran, files, request, configFindings(judging, files)),
  );
  const compared = await stages.time("trying the reports", () =>
    tried(parts, suite, judged, files, linesOfUnits(units), runs, told),
  );
  const accept = await stages.time("accepted commands", () => runAccept(parts, inTree, taken, request.accept, files));
  const measured = await measureChange({
    request,
    parts,
    suite,
    taken: judged,
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
      ? await stages.time("data", () =>
          noticedData({ artifacts, task, suite, taken: judged, files, turned: turnedTests }),
        )
      : new Set<string>();
  const witness =
    suite && (await stages.time("second witness", () => witnessTurned(parts, suite, taken.result, compared)));
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
    problem: ran.problem && [ran.problem, ...missing].join("; "),
    account,
    compared,
    before: runs?.before ?? null,
    after: runs?.after ?? null,
    accept,
    flakes: measured.flakes,
    scans,
    witness,
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
    ...(witness && { witness }),
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
      tests: hashTests(artifacts, taken.result, isTest),
      journal: [],
      prompts: {},
    },
    versions: { miracle: parts.version, ...toolchain.versions },
    sandbox: parts.sandbox.backend,
    models: {},
    sameModel: null,
    notes: [...taken.notes, ...missing, ...notRun, ...ran.notes],
    notChecked: [...compared.undone, ...measured.notChecked, ...NEEDS_A_SPEC],
  };
}

const readsOf = (runs: SuiteRuns | null): ReadBy[] => [
  ...(runs?.baseTraced?.reads ?? []),
  ...(runs?.resultTraced?.reads ?? []),
];

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
  { runs, trees: taken, mixed }: WhereTheyRan,
  files: ChangedFile[],
  { superseded, budgetMs }: ProveRequest,
  config: IntegrityFinding[],
): Promise<ComparedTests> {
  if (!suite || !runs?.after) {
    const lost = runs?.before ? [allGone(runs.before)] : [];
    return { tests: [], integrity: [...config, ...lost], lost: [], questions: [], undone: [] };
  }
  const compared = await compareChange({
    parts,
    suite,
    taken,
    mixed,
    files,
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

const suiteCommand = ({ after, before }: SuiteRuns): string => after?.command ?? before?.command ?? "";
