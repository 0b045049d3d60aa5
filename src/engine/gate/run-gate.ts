import { describeResult } from "../../agents/tools/run-command.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { normaliseOutput } from "../../languages/normalise.ts";
import { runTests } from "../../languages/run-tests.ts";
import { suiteLimits } from "../../languages/suite-limits.ts";
import type { Ending } from "../../sandbox/sandbox.ts";
import { runWithServices } from "../../sandbox/services/run-with-services.ts";
import { type AcceptResult, GateRun } from "../../verify/gate/gate.ts";
import { untilAnswered } from "../hands/approve.ts";
import { commandTools } from "../hands/command-tools.ts";
import type { Run } from "../hands/run.ts";
import { testsRun } from "../hands/run-tests.ts";
import { objection } from "../hands/tool-outcome.ts";
import type { GateOptions } from "./gate-options.ts";
import { breachesOf } from "./keep-contract.ts";
import { restoreIntegrity } from "./restore-integrity.ts";
import { runChecks } from "./run-checks.ts";

/**
 * Runs a finished tree where the coder never was: a checkout of its own, in sandboxes of its own. Whatever the runs
 * leave behind there is thrown away; only the tree they were given is judged.
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
    const { artifacts, journal, signal } = run.parts;
    const { tree: clean, ...integrity } = await restoreIntegrity(run, options);
    if (integrity.tampered && integrity.tampered.length > 0) {
      const message = `${integrity.tampered.join(", ")} was put back: a change may not decide how its tests run`;
      emit({ type: "warning-raised", code: "tests.tampered", message });
    }
    const tree = tests.length === 0 ? clean : artifacts.overlay(journal.task, clean, tests);
    // Before anything of it is executed. The tests were looked at when they were written.
    const given = tests.map((file) => file.path);
    const objected = await objection(run.parts.warden.checkCode(tree, given));
    if (objected) {
      const nothing = { tree, report: null, accept: [], ...integrity };
      if ("asks" in objected) return { ...nothing, asks: objected.asks };
      emit(objected.refused.event);
      return { ...nothing, refused: objected.refused.content };
    }
    const checkout = run.parts.checkouts.named("gate");
    const { directory } = checkout;
    const { limits } = journal.frozen.settings.sandbox;
    let report: TestReport | null = null;
    if (options.suite && options.language) {
      await checkout.renew(tree);
      const { language } = options;
      const finished = await runTests({
        language,
        sandbox: run.parts.sandbox,
        limits: suiteLimits(limits, options.baseline ?? null),
        workspace: directory,
        toolchain: await run.parts.languages.toolchain(language, journal.frozen.request.directory),
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
      const { mounts, path, env, needs } = await commandTools(run, options.language);
      const start = performance.now();
      const result = await runWithServices(
        run.parts.sandbox,
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
    const checks = await runChecks(run, tree, options.language, options.checks ?? []);
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

function runEnding(ending: Ending): TestReport["ending"] {
  if (ending === "exited") return "completed";
  return ending === "timeout" ? "timeout" : "resource-limit";
}
