import { z } from "zod";
import {
  AcceptedCommand,
  describeLastCommit,
  EVIDENCE_FORMAT,
  type EvidenceDocument,
  suiteRunOf,
} from "../../domain/evidence/evidence-document.ts";
import { WitnessReport } from "../../domain/evidence/witness-report.ts";
import { fail } from "../../domain/failure.ts";
import { Finding } from "../../domain/finding.ts";
import { ENVIRONMENT_FILE } from "../../domain/settings/environment-file.ts";
import type { ReadBy } from "../../languages/language.ts";
import { accountChange } from "../account/account-change.ts";
import { missingPlace, neededNothing } from "../account/left-places.ts";
import { noticedData } from "../account/notice-data.ts";
import { projectTexts, sourcesOf, textOf, usedIn } from "../account/texts-of-tree.ts";
import { type ChangedFile, isTestSide, sortChange } from "../change/change-parts.ts";
import { changedMeaning } from "../change/changed-units.ts";
import type { UnitChange } from "../change/compare-units.ts";
import type { CompilerAnswer, CompilerSurroundings } from "../change/compiled-units.ts";
import { partsByReads } from "../change/parts-by-reads.ts";
import { hashTests } from "../evidence/hash-tests.ts";
import { describeProblem, triedPackages } from "../gate/suite-problem.ts";
import { judgingTree } from "../integrity/judging-tree.ts";
import { runAccept } from "./accept.ts";
import { acceptNotices, withShown } from "./accept-notices.ts";
import { scriptFindings } from "./accept-scripts.ts";
import { Asked, askedOf } from "./asked.ts";
import { chooseLanguages } from "./choose-language.ts";
import { configFindings } from "./config-findings.ts";
import { judgeChange, turned } from "./judge-change.ts";
import { isRefused, linesOfUnits, type MeasuredChange, measureChange } from "./measure-change.ts";
import { Measurements } from "./measurements.ts";
import { openSuites } from "./open-suites.ts";
import { otherNode } from "./other-node.ts";
import type { ProveParts, ProveRequest } from "./prove-parts.ts";
import { Names, Texts } from "./recorded-names.ts";
import type { SuiteRuns } from "./run-suites.ts";
import { scanChange } from "./scan-change.ts";
import { Slots } from "./slots.ts";
import { NO_TOOLS, SuiteRunner } from "./suite-runner.ts";
import { TakenChange, takeChange } from "./take-change.ts";
import { withTime } from "./time-for.ts";
import { weighTests } from "./weigh-tests.ts";
import { runWhereTheyRun } from "./where-they-run.ts";
import { witnessTurned } from "./witness-turned.ts";

/**
 * Judges a change by what can be run: before and after, and each version of the tests on each version of the code. What
 * was run is measured; all else follows from the measurements and the trees, so that it can be made again from them.
 */
export async function prove(
  request: ProveRequest,
  parts: ProveParts,
  measurements = new Measurements(),
): Promise<EvidenceDocument> {
  const { artifacts, task, parsers } = parts;
  const said = await measurements.take("asked", Asked, async () => askedOf(request, parts));
  const taken = await measurements.take("taking the change", TakenChange, () =>
    takeChange(artifacts, task, request.directory, request.base),
  );
  const changed = artifacts.changes(taken.base, taken.result);
  const missing = missingPlaces(artifacts, taken, said.leave);
  if (missing !== undefined) throw fail("invalid-input", "prove.leave", missing);
  const languages = chooseLanguages(
    parts,
    [taken.base, taken.result],
    changed.map(({ path }) => path),
  );
  const [language = null] = languages;
  const isTest = (path: string) => languages.some((one) => one.isTestFile(path));
  const sorted = await sortChange(artifacts, parsers, taken, isTest);
  if (taken.lastCommit !== undefined) parts.onProgress(describeLastCommit(taken.lastCommit));
  parts.onProgress(`the change since ${taken.since}: ${sorted.length} ${sorted.length === 1 ? "file" : "files"}`);

  let opened = NOT_OPENED;
  const tools = await measurements.take("tools", Tools, async () => {
    opened = await openSuites(parts, languages, request.directory, taken);
    return { versions: opened.toolchain.versions, notRun: opened.notRun, missing: opened.missing };
  });
  const { toolchain, inTree, others } = opened;
  const suite = language && new SuiteRunner(parts, { language, inTree }, others);
  const { limits, signal } = parts;
  const around = { toolchain, sandbox: compilerOf(parts, measurements), limits, signal, parsers };
  const judging = await judgingTree(parts, taken, sorted, isTest);
  // The result as its tests run: with the settings of the base.
  const plain = { base: taken.base, result: judging.tree };
  const look = async (files: ChangedFile[]) => {
    const changes = await changedMeaning(artifacts, around, taken, files);
    const units = changes.changes.filter(({ relation }) => relation !== "same" && relation !== "inert");
    const ran = await runWhereTheyRun(parts, measurements, request.directory, suite, plain, files, watchedOf(units));
    return { files, changes, units, ran };
  };
  const first = await look(sorted);
  // What the runs opened says better than names whose each file is.
  const sources = sourcesOf(artifacts, taken.result, isTest);
  const known = partsByReads(sorted, readsOf(first.ran.runs), isTest, sources);
  const isOther = known.some(({ part }, index) => part !== sorted[index]?.part);
  const { files, changes, units, ran } = isOther ? await look(known) : first;
  const { runs, trees: judged } = ran;
  const asked = withTime(said, runs);
  const compared = await weighTests({
    parts,
    measurements,
    suite,
    files,
    meaning: await changedMeaning(artifacts, around, taken, files, isTestSide),
    asked,
    base: taken.base,
    ran,
    changed: linesOfUnits(units),
    config: configFindings(judging),
  });
  const accept = await measurements.take(
    "accepted commands",
    z.array(AcceptedCommand),
    () => runAccept(parts, inTree, taken, asked.accept, files),
    asked.accept,
  );
  const turnedTests = compared.tests.filter(({ role }) => role === "red-to-green").map(({ id }) => id);
  const showing = new Set(turnedTests);
  const spoilData = (run: SuiteRunner) =>
    noticedData({
      ...{ artifacts, task, trees: judged, files, showing },
      run: (what, tree, tests) => run.runFiles(what, tree, tests),
    });
  const measuring = {
    request: { ...request, ...asked },
    ...{ parts, measurements, suite, result: plain.result, taken: judged, files, units, runs, compared },
  };
  const seeData = async (): Promise<Set<string>> =>
    suite && !isRefused(compared)
      ? measurements.take("data", Names, () => spoilData(suite), turnedTests)
      : new Set<string>();
  const seeUse = async () =>
    suite &&
    measurements.take(
      "second witness",
      WitnessReport.nullable(),
      () => witnessTurned(parts, suite, taken.result, compared),
      { tree: taken.result, turned: turnedTests },
    );
  const checks = Slots.forChecks(parts.sandbox);
  const [measured, scans, noticed, witness] = await Promise.all([
    checks.use(() => measureChange(measuring)),
    checks.use(() => measurements.take("scan", z.array(Finding), () => scanChange(parts, files), plain)),
    checks.use(seeData),
    checks.use(seeUse),
  ]);
  const byTests = accountChange({
    files,
    changes,
    leftOut: taken.leftOut,
    ...{ showing, ran: (path) => compared.tests.some(({ id }) => id.startsWith(`${path}::`)) },
    met: {
      ...measured,
      mutants: measured.mutants?.results ?? [],
      behaviour: measured.behaviour?.functions ?? [],
    },
    noticed,
    text: (file, side) => textOf(artifacts, file[side]),
    used: usedIn(artifacts, plain.result),
    sources,
    texts: projectTexts(artifacts, taken.result, isTest),
    paths: () => artifacts.list(taken.result).map(({ path }) => path),
    bar: { mutationScore: asked.mutationScore, problem: mutantsProblem(measured) },
    leave: asked.leave,
  });
  const commands = accept.filter(turned).map(({ command }) => command);
  const open = { commands, account: byTests, budgetMs: asked.budgetMs };
  const account =
    commands.length === 0
      ? byTests
      : withShown(
          byTests,
          await measurements.take(
            "what accepted commands notice",
            Texts,
            () => acceptNotices({ parts, toolchain, result: taken.result, ...open }),
            open,
          ),
        );
  const { kind, verdict } = judgeChange({
    problem: ran.problem && {
      ...ran.problem,
      line: describeProblem(ran.problem, triedPackages(tools.versions, tools.missing)),
    },
    account,
    compared,
    before: runs?.before ?? null,
    after: runs?.after ?? null,
    accept,
    flakes: measured.flakes,
    scans,
    witness,
  });
  const ofOtherNode = otherNode(
    tools.versions.node,
    (path) => artifacts.readFile(taken.result, path)?.toString("utf8") ?? null,
  );
  return {
    format: EVIDENCE_FORMAT,
    producer: "prove",
    at: asked.at,
    verdict,
    kind,
    change: {
      since: taken.since,
      ...(taken.lastCommit !== undefined && { lastCommit: taken.lastCommit }),
      files: files.map(({ path, change, part }) => ({ path, change, part })),
    },
    account,
    ...(measured.behaviour && { behaviour: measured.behaviour.functions }),
    requirements: [],
    tests: compared.tests,
    suite: runs && { command: suiteCommand(runs), before: suiteRunOf(runs.before), after: suiteRunOf(runs.after) },
    accept,
    integrity: [...compared.integrity, ...scriptFindings(asked.accept, files)],
    mutants: measured.mutants,
    ...(witness && { witness }),
    coverage: measured.coverage,
    flakes: measured.flakes,
    scans,
    approvals: [],
    disputes: [],
    stages: measurements.stages(),
    limits: { ...asked.limits, mutantBudgetMs: asked.budgetMs, mutationScore: asked.mutationScore },
    hashes: {
      baseTree: taken.base,
      resultTree: taken.result,
      tests: hashTests(artifacts, taken.result, isTest),
      journal: [],
      prompts: {},
    },
    versions: { miracle: asked.version, ...tools.versions },
    sandbox: asked.sandbox,
    models: {},
    sameModel: null,
    notes: [
      ...taken.notes,
      ...changed.flatMap(notUsed),
      ...tools.missing,
      ...tools.notRun,
      ...ran.notes,
      ...ofOtherNode,
      ...neededNothing(asked.leave, account),
    ],
    notChecked: [...compared.undone, ...measured.notChecked, ...NEEDS_A_SPEC],
  };
}

/** A place that a person accepts and that is nowhere: they meant another one. */
function missingPlaces(artifacts: ProveParts["artifacts"], taken: TakenChange, leave: readonly string[]) {
  if (leave.length === 0) return undefined;
  const trees = [taken.base, taken.result];
  const places = {
    changed: [
      ...artifacts.changes(taken.base, taken.result).map(({ path }) => path),
      ...taken.leftOut.map(({ path }) => path),
    ],
    paths: trees.flatMap((tree) => artifacts.list(tree).map(({ path }) => path)),
    text: (path: string) => trees.map((tree) => artifacts.readFile(tree, path)?.toString("utf8") ?? "").join("\n"),
  };
  return leave.flatMap((one) => missingPlace(one, places) ?? [])[0];
}

/** Judges are configured by the base alone. */
const notUsed = ({ path }: { path: string }): string[] =>
  path === ENVIRONMENT_FILE
    ? [`${path} counts as the base has it: that of the change is judged, and was not used`]
    : [];

const Tools = z.object({
  versions: z.record(z.string(), z.string()),
  notRun: z.array(z.string()),
  missing: z.array(z.string()),
});
const NOT_OPENED: Awaited<ReturnType<typeof openSuites>> = {
  toolchain: NO_TOOLS,
  inTree: () => NO_TOOLS,
  others: [],
  notRun: [],
  missing: [],
};

const Answer: z.ZodType<CompilerAnswer> = z.object({
  stdout: z.string(),
  stderr: z.string(),
  ending: z.enum(["exited", "timeout", "memory-limit", "process-limit", "disk-limit"]),
});

/** An interpreter that is asked once about the same sources. */
const compilerOf = ({ sandbox }: ProveParts, measurements: Measurements): CompilerSurroundings["sandbox"] => ({
  run: (command, limits, signal) =>
    measurements.take("reading the change", Answer, () => sandbox.run(command, limits, signal), command.stdin ?? ""),
});

const readsOf = (runs: SuiteRuns | null): readonly ReadBy[] => runs?.resultTraced?.reads ?? [];

/** Paths whose lines are to be watched. */
const watchedOf = (units: readonly UnitChange[]): string[] => [
  ...new Set(units.filter(({ after }) => after !== null).map(({ path }) => path)),
];

/** Why no result of a mutant counts; null when they do. */
const mutantsProblem = ({ mutants, notChecked }: MeasuredChange): string | null =>
  mutants ? mutants.problem : (notChecked.find(({ check }) => check === "mutants")?.why ?? null);

/** What only somebody who knows the goal can check: there are no requirements, and no unseen tests made from them. */
const NEEDS_A_SPEC = [{ check: "whether it is what was wanted", why: "nobody said what the change is for" }];

const suiteCommand = ({ after, before }: SuiteRuns): string => after?.command ?? before?.command ?? "";
