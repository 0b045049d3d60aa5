import { describeResult } from "../../agents/tools/run-command.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { commandsOf } from "../../domain/plan/todo-demands.ts";
import type { EventBody } from "../../domain/task/event.ts";
import { normaliseOutput } from "../../languages/normalise.ts";
import { suiteLimits } from "../../languages/suite-limits.ts";
import type { Ending } from "../../sandbox/sandbox.ts";
import { runWithServices } from "../../sandbox/services/run-with-services.ts";
import { type AcceptResult, GateRun } from "../../verify/gate/gate.ts";
import { untilAnswered } from "../hands/approve.ts";
import { commandTools } from "../hands/command-tools.ts";
import type { Run } from "../hands/run.ts";
import { excusedOf, runTestsIn, testsRun } from "../hands/run-tests.ts";
import { objection } from "../hands/tool-outcome.ts";
import type { GateOptions } from "./gate-options.ts";
import { judgedTree } from "./judged-tree.ts";
import { breachesOf } from "./keep-contract.ts";
import { restoreIntegrity } from "./restore-integrity.ts";
import { runChecks } from "./run-checks.ts";

/**
 * Runs a finished tree in a checkout and in sandboxes that the coder never used. Files that the runs leave behind are
 * thrown away: the gate judges only the tree it was given.
 */
export async function runGate(run: Run, options: GateOptions): Promise<GateRun> {
  const end = await untilAnswered(run, options.name, () => gateStep(run, options));
  return "done" in end ? end.done : { tree: options.tree, report: null, accept: [], refused: end.denied };
}

function gateStep(run: Run, options: GateOptions): Promise<GateRun> {
  const tests = options.tests.map(({ path, content }) => ({ path, content }));
  const input = {
    tree: options.tree,
    tests,
    suite: options.suite,
    accept: options.accept,
    checks: options.checks,
    integrity: options.integrity,
  };
  return run.step({ kind: "tool", name: options.name, input, output: GateRun }, async ({ emit }) => {
    const { artifacts } = run.parts;
    const { tree: clean, ...integrity } = await restoreIntegrity(run, options);
    if (integrity.tampered && integrity.tampered.length > 0) {
      const message = `${integrity.tampered.join(", ")} was put back: a change may not decide how its tests run`;
      emit({ type: "warning-raised", code: "tests.tampered", message });
    }
    const withTests = (held: string) => (tests.length === 0 ? held : artifacts.overlay(run.task, held, tests));
    const tree = withTests(clean);
    // The scan comes before any code of the change is executed. The given tests were scanned when they were written.
    const given = tests.map((file) => file.path);
    const objected = await objection(judge(run, tree, given, options.accept));
    if (objected) {
      const nothing = { tree, report: null, accept: [], ...integrity };
      if ("asks" in objected) return { ...nothing, asks: objected.asks };
      emit(objected.refused.event);
      return { ...nothing, refused: objected.refused.content };
    }
    let report: TestReport | null = null;
    const { language, baseline = null } = options;
    if (options.suite && language) {
      const limits = suiteLimits(run.settings.sandbox.limits, baseline);
      const base = options.integrity?.base;
      const judged = base === undefined ? tree : withTests(await judgedTree(run, { base, tree: clean }));
      report = await runTestsIn(run, { checkout: "gate", tree: judged, language, limits, fuzz: given });
      emit(testsRun("gate", report, excusedOf(report, options.superseded ?? [], baseline)));
    }
    const accept = await runAccepted(run, tree, options, emit);
    const checks = await runChecks(run, tree, language, options.checks ?? []);
    const breaches = options.contract ? await breachesOf(run, tree, options.contract) : [];
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

/** Code of the change, and commands that no person wrote, are judged before they run. */
async function judge(run: Run, tree: string, given: string[], accept: string[]): Promise<void> {
  await run.parts.warden.checkCode(tree, given);
  const { request, settings } = run;
  const chosen = new Set([...settings.accept, ...(request.plan ? commandsOf(request.plan) : [])]);
  for (const command of accept) if (!chosen.has(command)) await run.parts.warden.judgeCommand(command);
}

/** Runs each accepted command on a fresh checkout of the judged tree, because a command may change files. */
async function runAccepted(
  run: Run,
  tree: string,
  { accept, language }: GateOptions,
  emit: (event: EventBody) => void,
): Promise<AcceptResult[]> {
  const { sandbox, signal, checkouts } = run.parts;
  const { limits } = run.settings.sandbox;
  const checkout = checkouts.named("gate");
  const { directory: workspace } = checkout;
  const results: AcceptResult[] = [];
  for (const command of accept) {
    await checkout.renew(tree);
    const { mounts, path, env, needs } = await commandTools(run, language, tree);
    const start = performance.now();
    const call = { argv: ["bash", "-c", command], workspace, mounts, path, env: { ...env, ...needs?.env } };
    const result = await runWithServices(sandbox, call, needs?.services ?? [], limits, signal);
    const passed = result.ending === "exited" && result.exitCode === 0;
    const ending = result.ending === "exited" ? `exit code ${result.exitCode ?? result.signal}` : result.ending;
    const output = normaliseOutput(describeResult(result), { workspace });
    results.push({ command, passed, ending, output });
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
  return results;
}

function runEnding(ending: Ending): TestReport["ending"] {
  if (ending === "exited") return "completed";
  return ending === "timeout" ? "timeout" : "resource-limit";
}
