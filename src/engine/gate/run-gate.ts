import { z } from "zod";
import { describeResult } from "../../agents/tools/run-command.ts";
import { isRed, passes, TestReport } from "../../domain/evidence/test-report.ts";
import type { Contract } from "../../domain/plan/contract.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { EventBody } from "../../domain/task/event.ts";
import type { Strand } from "../../journal/strand.ts";
import type { Language } from "../../languages/language.ts";
import { normaliseOutput } from "../../languages/normalise.ts";
import { runTests } from "../../languages/run-tests.ts";
import { baselineLimits, suiteLimits } from "../../languages/suite-limits.ts";
import type { Ending } from "../../sandbox/sandbox.ts";
import { runWithServices } from "../../sandbox/services/run-with-services.ts";
import { flipsBetween } from "../../verify/flakes/find-flakes.ts";
import { type AcceptResult, GateRun } from "../../verify/gate/gate.ts";
import type { ProjectCheck } from "../../verify/gate/project-checks.ts";
import { untilAnswered } from "../hands/approve.ts";
import { commandTools } from "../hands/command-tools.ts";
import type { EngineParts } from "../hands/parts.ts";
import { objection } from "../hands/tool-outcome.ts";
import { breachesOf } from "./keep-contract.ts";
import { restoreIntegrity } from "./restore-integrity.ts";
import { runChecks } from "./run-checks.ts";

export interface GateOptions {
  name: string;
  /** The tree to judge. */
  tree: string;
  language: Language | null;
  /** Put over the tree as they were written, whatever the coder's tree has at their place. */
  tests: TestFile[];
  /** The suite before the change, where it was run: how long it took says how long it may take now. */
  baseline?: TestReport | null;
  /** False when there is nothing to run but `accept`. */
  suite: boolean;
  accept: string[];
  /** Lint and type check of the project, with what they said before. */
  checks?: ProjectCheck[];
  /** The tree before the coder touched it, and what was asked for; absent where nothing is held against the coder. */
  integrity?: { before: string; said: string };
  /** What of it is asked for: a file of the tests' configuration that is named here may change. Absent: all that was said. */
  asked?: string;
  /** Tests of the project that the goal makes obsolete: only these may change. */
  superseded?: string[];
  /** All of it must be kept by this tree. */
  contract?: Contract;
}

/**
 * Runs a finished tree where the coder never was: a checkout of its own, in sandboxes of its own. Whatever the runs
 * leave behind there is thrown away; only the tree they were given is judged.
 */
export async function runGate(strand: Strand, parts: EngineParts, options: GateOptions): Promise<GateRun> {
  const run = () => gateStep(strand, parts, options);
  const end = await untilAnswered(strand, parts, options.name, run);
  return "done" in end ? end.done : { tree: options.tree, report: null, accept: [], refused: end.denied };
}

function gateStep(strand: Strand, parts: EngineParts, options: GateOptions): Promise<GateRun> {
  const tests = options.tests.map(({ path, content }) => ({ path, content }));
  const input = {
    tree: options.tree,
    tests,
    suite: options.suite,
    accept: options.accept,
    checks: options.checks,
    integrity: options.integrity,
  };
  return strand.step({ kind: "tool", name: options.name, input, output: GateRun }, async ({ emit }) => {
    const { artifacts, journal, signal } = parts;
    const { tree: clean, ...integrity } = await restoreIntegrity(parts, options);
    if (integrity.tampered && integrity.tampered.length > 0) {
      const message = `${integrity.tampered.join(", ")} was put back: a change may not decide how its tests run`;
      emit({ type: "warning-raised", code: "tests.tampered", message });
    }
    const tree = tests.length === 0 ? clean : artifacts.overlay(journal.task, clean, tests);
    // Before anything of it is executed. The tests were looked at when they were written.
    const given = tests.map((file) => file.path);
    const objected = await objection(parts.warden.checkCode(tree, given));
    if (objected) {
      const nothing = { tree, report: null, accept: [], ...integrity };
      if ("asks" in objected) return { ...nothing, asks: objected.asks };
      emit(objected.refused.event);
      return { ...nothing, refused: objected.refused.content };
    }
    const checkout = parts.checkouts.named("gate");
    const { directory } = checkout;
    const { limits } = journal.frozen.settings.sandbox;
    let report: TestReport | null = null;
    if (options.suite && options.language) {
      await checkout.renew(tree);
      const { language } = options;
      const finished = await runTests({
        language,
        sandbox: parts.sandbox,
        limits: suiteLimits(limits, options.baseline ?? null),
        workspace: directory,
        toolchain: await parts.languages.toolchain(language, journal.frozen.request.directory),
        files: [],
        signal,
      });
      emit(testsRun("gate", finished));
      report = finished;
    }
    const accept: AcceptResult[] = [];
    for (const command of options.accept) {
      // A command may change files: each one gets the tree as it is to be judged.
      await checkout.renew(tree);
      const { mounts, path, env, needs } = await commandTools(parts, options.language);
      const start = performance.now();
      const result = await runWithServices(
        parts.sandbox,
        { argv: ["bash", "-c", command], workspace: directory, mounts, path, env: { ...env, ...needs?.env } },
        needs?.services ?? [],
        limits,
        signal,
      );
      const passed = result.ending === "exited" && result.exitCode === 0;
      const ending = result.ending === "exited" ? `exit code ${result.exitCode ?? result.signal}` : result.ending;
      const output = normaliseOutput(describeResult(result), { workspace: directory });
      accept.push({ command, passed, ending, output });
      const red = result.ending === "exited" && !passed;
      emit({
        type: "tests-run",
        scope: "accept",
        command,
        counts: { passed: passed ? 1 : 0, red: red ? 1 : 0, skipped: 0 },
        passed,
        ending: runEnding(result.ending),
        red: red ? [{ id: `$ ${command}`, message: output.slice(-400) }] : [],
        durationMs: performance.now() - start,
      });
    }
    const checks = await runChecks(parts, tree, options.language, options.checks ?? []);
    const breaches = options.contract ? await breachesOf(parts, tree, options.contract) : [];
    return {
      tree,
      report,
      accept,
      ...integrity,
      ...(checks.length > 0 && { checks }),
      ...(breaches.length > 0 && { breaches }),
    };
  });
}

/** The suite before any change. It must come to its end: otherwise nobody could tell what the change broke. */
export function runBaseline(strand: Strand, parts: EngineParts, tree: string, language: Language): Promise<TestReport> {
  return strand.step({ kind: "tool", name: "baseline", input: { tree }, output: TestReport }, async ({ emit }) => {
    const limits = baselineLimits(parts.journal.frozen.settings.sandbox.limits);
    const report = await runTestsIn("gate", parts, tree, language, [], limits);
    const red = report.tests.filter(isRed).map((test) => test.id);
    emit({ type: "baseline-run", counts: countsOf(report), red });
    return report;
  });
}

/** The suite once more: a test that goes another way without any change is flaky, and only such a one is ever set aside. */
export function findFlaky(
  strand: Strand,
  parts: EngineParts,
  tree: string,
  language: Language,
  first: TestReport,
): Promise<string[]> {
  const input = { tree, tests: first.tests.map(({ id, outcome }) => [id, outcome]) };
  return strand.step({ kind: "tool", name: "baseline-again", input, output: z.array(z.string()) }, async ({ emit }) => {
    const limits = suiteLimits(parts.journal.frozen.settings.sandbox.limits, first);
    const second = await runTestsIn("gate", parts, tree, language, [], limits);
    const flaky = flipsBetween([first, second]).map(({ id }) => id);
    if (flaky.length > 0) {
      const message = `flaky before any change, so set aside: ${flaky.slice(0, 10).join(", ")}`;
      emit({ type: "warning-raised", code: "tests.flaky", message });
    }
    return flaky;
  });
}

/** A tree in an empty directory, in a sandbox of its own. */
export async function runTestsIn(
  name: string,
  parts: EngineParts,
  tree: string,
  language: Language,
  files: string[],
  limits = parts.journal.frozen.settings.sandbox.limits,
): Promise<TestReport> {
  const { journal, sandbox, signal } = parts;
  const checkout = parts.checkouts.named(name);
  await checkout.renew(tree);
  const toolchain = await parts.languages.toolchain(language, journal.frozen.request.directory);
  return runTests({ language, sandbox, limits, workspace: checkout.directory, toolchain, files, signal });
}

function runEnding(ending: Ending): TestReport["ending"] {
  if (ending === "exited") return "completed";
  return ending === "timeout" ? "timeout" : "resource-limit";
}

type TestScope = (EventBody & { type: "tests-run" })["scope"];

/** Of tests that are not for everyone: nothing but the numbers. */
export const testCounts = (scope: "red-check" | "held-out", report: TestReport): EventBody =>
  toEvent(scope, report, []);

export const testsRun = (scope: "visible" | "gate", report: TestReport): EventBody =>
  toEvent(scope, report, report.tests.filter(isRed).slice(0, 20));

function toEvent(scope: TestScope, report: TestReport, red: TestReport["tests"]): EventBody {
  return {
    type: "tests-run",
    scope,
    counts: countsOf(report),
    passed: passes(report),
    ending: report.ending,
    red: red.map(({ id, message }) => ({ id, message: message.slice(-400) })),
    durationMs: report.durationMs,
  };
}

function countsOf(report: TestReport) {
  const passed = report.tests.filter((test) => test.outcome === "passed").length;
  const red = report.tests.filter(isRed).length;
  return { passed, red, skipped: report.tests.length - passed - red };
}
