import { availableParallelism } from "node:os";
import type { Mutant, MutantReport, MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { MutantJob } from "../../languages/language.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import { assertedLine } from "./asserted-line.ts";
import { compareCode } from "./compare-code.ts";
import { Controls, isSuite } from "./controls.ts";
import { DrivenTests } from "./driven-tests.ts";
import type { JobResult } from "./job-result.ts";
import { judgeMutant } from "./judge-mutant.ts";
import { MutantQueue, type WaitingMutant } from "./mutant-queue.ts";
import { reportMutants } from "./report-mutants.ts";
import { type BatchPlace, runBatch } from "./run-batch.ts";
import { selectTests } from "./select-tests.ts";
import { inTurn } from "./spread.ts";
import type { Surroundings } from "./surroundings.ts";
import { readTestFiles } from "./test-files.ts";
import { UnseenFiles } from "./unseen-files.ts";

/** A directory that holds the tree to be judged, for one worker alone. */
interface WorkerWorkspace {
  directory: string;
  /** Lays the tree out anew: nothing that code left there stays. */
  renew(): Promise<void>;
}

export interface MutantRun extends Surroundings {
  /** Of each file in the order in which they should run (`makeMutants`); several files take turns. */
  mutants: readonly Mutant[];
  /** The unmutated text of every file that has a mutant. */
  read: (path: string) => string | null;
  parsers: SyntaxParsers;
  /** The tests without a mutant, with the lines they run (`traceTests`). Only what is green there can kill. */
  baseline: TracedRun;
  /** Ids of tests that may run; default all that are green in the baseline. */
  tests?: readonly string[];
  /** For each requirement the ids of its tests: the report then says which mutants they killed. */
  requirements?: readonly { id: string; tests: readonly string[] }[];
  /** Ids of mutants that the comparison of behaviour notices: tests meet a few of them, to show that they can fail. */
  compared?: ReadonlySet<string>;
  makeWorkspace: (name: string) => Promise<WorkerWorkspace>;
  /** How many at a time; default the number of cores, at most 8. */
  parallel?: number;
  /** After this long no further mutant is begun; where a requirement's tests killed none yet, theirs go on as long again. */
  budgetMs: number;
  onProgress?: (done: { results: readonly MutantResult[]; of: number }) => void;
}

const MOST_WORKERS = 8;
/** Mutants that are noticed already and that the tests of each requirement meet all the same. */
const MOST_SPARE = 4;
/** A test that takes three times as long as it did, and two seconds for a machine that has other things to do. */
const PATIENCE = 3;
const GRACE_MS = 2_000;

/**
 * Runs each mutant against the tests that run its line, and says which were noticed.
 *
 * 1. Every selection of tests first runs on a text that differs by a comment only. What is red there (because tests need
 *    each other, or the code watches its own text) kills nothing: such mutants, and what survived, are tried again with
 *    all tests, and if that is red too, the report names it and no kill counts.
 * 2. A kill by a test that is red without a mutant afterwards is doubted: it is tried again, alone, in a clean workspace.
 * 3. What the time budget leaves over is `not-run`: never a kill, never a survivor.
 * 4. No requirement waits for its first kill while another gets its second.
 */
export async function runMutants(run: MutantRun): Promise<MutantReport> {
  const start = performance.now();
  const { baseline, requirements = [] } = run;
  const green = baseline.report.tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id);
  const allowed = run.tests && new Set(run.tests);
  const tests = allowed ? green.filter((id) => allowed.has(id)) : green;
  const results = new Map<string, MutantResult>();
  const settle = (result: MutantResult) => {
    results.set(result.mutant.id, result);
    run.onProgress?.({ results: [...results.values()], of: run.mutants.length });
  };
  const controls = new Controls();
  if (tests.length > 0 && run.mutants.length > 0) {
    const first = await run.makeWorkspace("mutants-1");
    for (const skipped of await compareCode(run, first.directory)) settle(skipped);
    const isSpare = spareMutants(run, tests);
    const open: WaitingMutant[] = [];
    for (const mutant of inTurn(run.mutants)) {
      if (results.has(mutant.id) || isSpare(mutant)) continue;
      const selected = selectTests(mutant, baseline.lines, tests);
      if (selected.length > 0) open.push({ mutant, tests: selected, alone: false });
      else settle({ mutant, fate: "survived", killedBy: [], expectedBy: [], reason: "no test runs this line" });
    }
    const unseen = new UnseenFiles(open, baseline.lines);
    const waiting = new MutantQueue();
    for (const one of open) if (!unseen.holds(one.mutant)) waiting.add(one);
    for (const one of unseen.asked()) waiting.add(one);
    const deadline = start + run.budgetMs;
    // A warm process sees exceptions itself; of others there is only the report.
    const texts = readTestFiles(first.directory, run.language.mutantServer ? [] : tests);
    const isAsserted = assertedLine(texts, run.parsers);
    const place = { ...run, isAsserted, driven: new DrivenTests(texts, isAsserted) };
    const state = { run, place, tests, waiting, unseen, controls, results, settle, deadline, survivedSome: [] };
    const workers = Math.min(run.parallel ?? Math.min(availableParallelism(), MOST_WORKERS), Math.max(1, waiting.size));
    const names = Array.from({ length: workers - 1 }, (_, index) => `mutants-${index + 2}`);
    await Promise.all([work(state, first), ...names.map(async (name) => work(state, await run.makeWorkspace(name)))]);
  }
  const asked = new Map(run.mutants.map((mutant) => [mutant.id, selectTests(mutant, baseline.lines, tests)]));
  const all = run.mutants.map((mutant): MutantResult => {
    const untold: MutantResult = { mutant, fate: "not-run", killedBy: [], expectedBy: [], reason: "" };
    const result = results.get(mutant.id) ?? untold;
    const isOpen = result.fate === "survived" || result.fate === "not-run";
    return isOpen && run.compared?.has(mutant.id) ? { ...untold, fate: "compared" } : result;
  });
  const problem = tests.length === 0 ? "no test is green without a mutant" : controls.problem(tests);
  const durationMs = performance.now() - start;
  return reportMutants({
    results: all,
    requirements,
    asked,
    problem,
    durationMs,
    testRunMs: baseline.report.durationMs,
  });
}

/** Tells of the mutants in order which need not run: the comparison notices them, and each group has met enough. */
function spareMutants(
  { compared, baseline, requirements = [] }: MutantRun,
  tests: string[],
): (mutant: Mutant) => boolean {
  const met = new Map<string, number>();
  return (mutant) => {
    if (!compared?.has(mutant.id)) return false;
    const selected = new Set(selectTests(mutant, baseline.lines, tests));
    const waiting = requirements.filter(
      ({ id, tests: own }) => (met.get(id) ?? 0) < MOST_SPARE && own.some((test) => selected.has(test)),
    );
    for (const { id } of waiting) met.set(id, (met.get(id) ?? 0) + 1);
    return waiting.length === 0;
  };
}

interface State {
  run: MutantRun;
  tests: string[];
  waiting: MutantQueue;
  unseen: UnseenFiles;
  controls: Controls;
  results: Map<string, MutantResult>;
  settle: (result: MutantResult) => void;
  deadline: number;
  place: BatchPlace;
  /** What survived the tests that run its line; the others were not asked. */
  survivedSome: WaitingMutant[];
}

/** One worker: a workspace of its own, batch after batch. */
async function work(state: State, workspace: WorkerWorkspace): Promise<void> {
  const { run, waiting, controls, deadline } = state;
  for (let isClean = true; ; isClean = false) {
    const lacking = withoutKill(state);
    waiting.sooner(lacking);
    const inTime = deadline - performance.now();
    const left = inTime > 0 ? inTime : inTime + run.budgetMs;
    const batch = inTime > 0 ? waiting.take() : left > 0 ? waiting.takeFor(lacking) : [];
    if (batch.length === 0) return;
    if (!isClean) await workspace.renew();
    const beyond = lacking.map(({ tests }) => tests);
    const jobs = [
      ...controls.missing(batch).map((job) => ({ ...job, timeoutMs: timeoutOf(run.baseline, job.tests), usualMs: 0 })),
      ...batch.map((one): MutantJob => {
        const { mutant, tests } = one;
        const timeoutMs = timeoutOf(run.baseline, tests);
        const usualMs = controls.of(one)?.cpuMs ?? 0;
        return { id: mutant.id, path: mutant.path, mutant, tests, beyond, timeoutMs, usualMs };
      }),
    ];
    const originals = new Map(jobs.map(({ path }) => [path, run.read(path) ?? ""]));
    const began = performance.now();
    const { results, stillRed } = await runBatch(
      {
        originals,
        jobs,
        deadlineMs: left,
        memoryMb: run.limits.memoryMb,
        closingMs: timeoutOf(run.baseline, state.tests),
        modules: run.baseline.modules,
      },
      workspace.directory,
      state.place,
    );
    waiting.took(results.length, performance.now() - began);
    conclude(state, batch, new Map(results.map((result) => [result.id, result])), stillRed);
  }
}

function conclude(state: State, batch: WaitingMutant[], results: Map<string, JobResult>, stillRed: string[]): void {
  const { controls, waiting, settle, tests } = state;
  controls.learn(results);
  for (const one of batch) {
    const result = results.get(one.mutant.id);
    const control = controls.of(one);
    // The time was up, or the process came down before its turn; a control that another worker has is not there yet.
    if (!result || !control) {
      waiting.add(one);
      continue;
    }
    const judged = judgeMutant(one.mutant, result, control, one.alone ? [] : stillRed);
    const askedAll = isSuite(one.tests, tests);
    const told = judged === "unsure" ? null : state.unseen.told(judged);
    if (told) {
      for (const result of told.settled) settle(result);
      for (const other of told.open) waiting.add(other);
    } else if (judged !== "unsure") {
      settle(judged);
      if (judged.fate === "survived" && !askedAll) state.survivedSome.push(one);
    } else if (!askedAll) waiting.add({ ...one, tests });
    else if (!one.alone) waiting.add({ ...one, alone: true });
    else {
      const reason = "its tests are red without it";
      settle({ mutant: one.mutant, fate: "not-run", killedBy: [], expectedBy: [], reason });
    }
  }
  // Tests that need each other may notice in one what happened in another.
  if (!controls.showDependence(tests)) return;
  for (const one of state.survivedSome.splice(0)) {
    state.results.delete(one.mutant.id);
    waiting.add({ ...one, tests });
  }
}

/** Requirements whose tests killed nothing yet. */
function withoutKill({ run, results }: State): readonly { tests: readonly string[] }[] {
  const killers = new Set([...results.values()].flatMap(({ expectedBy }) => expectedBy));
  return (run.requirements ?? []).filter(({ tests }) => !tests.some((test) => killers.has(test)));
}

function timeoutOf({ report }: TracedRun, tests: readonly string[]): number {
  const chosen = new Set(tests);
  const all = report.tests.reduce((sum, test) => sum + test.durationMs, 0);
  const own = report.tests.reduce((sum, test) => sum + (chosen.has(test.id) ? test.durationMs : 0), 0);
  return PATIENCE * (own + Math.max(0, report.durationMs - all)) + GRACE_MS;
}
