import { z } from "zod";
import { describeResult } from "../../agents/tools/run-command.ts";
import type { Language } from "../../languages/language.ts";
import { normaliseOutput } from "../../languages/normalise.ts";
import {
  type CheckResult,
  checkCommands,
  compareCheck,
  complaints,
  isUnavailable,
  ProjectCheck,
} from "../../verify/gate/project-checks.ts";
import { baseTree } from "../hands/base-tree.ts";
import { commandTools } from "../hands/command-tools.ts";
import type { Run } from "../hands/run.ts";

/** Runs lint and type check on the unchanged project, so that only new problems are held against a change. */
export function surveyChecks(run: Run, tree: string, language: Language): Promise<ProjectCheck[]> {
  return run.step({ kind: "tool", name: "checks", input: { tree }, output: z.array(ProjectCheck) }, async () => {
    const base = baseTree(run.parts.artifacts, tree);
    const found: ProjectCheck[] = [];
    for (const command of checkCommands(base.read, base.has)) {
      const { passed, exitCode, output } = await runCheck(run, tree, language, command);
      if (!isUnavailable(exitCode, output)) found.push({ command, before: passed ? [] : complaints(output) });
    }
    return found;
  });
}

/** Must run inside an effect. */
export async function runChecks(
  run: Run,
  tree: string,
  language: Language | null,
  checks: ProjectCheck[],
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) {
    const { passed, output } = await runCheck(run, tree, language, check.command);
    results.push(compareCheck(check, passed, output));
  }
  return results;
}

async function runCheck(run: Run, tree: string, language: Language | null, command: string) {
  const checkout = run.parts.checkouts.named("gate");
  await checkout.renew(tree);
  const { directory: workspace } = checkout;
  const { mounts, path, env } = await commandTools(run, language, tree);
  const { limits } = run.settings.sandbox;
  const result = await run.parts.sandbox.run(
    { argv: ["bash", "-c", command], workspace, mounts, path, env },
    limits,
    run.parts.signal,
  );
  const output = normaliseOutput(describeResult(result), { workspace });
  return { passed: result.ending === "exited" && result.exitCode === 0, exitCode: result.exitCode, output };
}
