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
      found.push(...(await tryCheck(run, tree, language, command)));
    }
    return found;
  });
}

/** A new project configures nothing yet: it gets what its language has on this machine. */
export function languageChecks(run: Run, tree: string, language: Language): Promise<ProjectCheck[]> {
  const kinds = language.checks?.() ?? [];
  const input = { tree, kinds };
  return run.step({ kind: "tool", name: "checks", input, output: z.array(ProjectCheck) }, async () => {
    const found: ProjectCheck[] = [];
    for (const commands of kinds) {
      for (const command of commands) {
        const [check] = await tryCheck(run, tree, language, command);
        if (!check) continue;
        found.push({ ...check, ofLanguage: true });
        break;
      }
    }
    return found;
  });
}

/** Empty: the tool is not there. */
async function tryCheck(run: Run, tree: string, language: Language, command: string): Promise<ProjectCheck[]> {
  const { passed, exitCode, output } = await runCheck(run, tree, language, command);
  return isUnavailable(exitCode, output) ? [] : [{ command, before: passed ? [] : complaints(output) }];
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
    results.push(compareCheck(check, passed, output, (path) => language?.isTestFile(path) ?? false));
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
