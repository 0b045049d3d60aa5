import type { Spec } from "../../domain/plan/spec.ts";
import { iterationStep } from "../../domain/task/step-path.ts";
import { type GateRun, type GateVerdict, judge } from "../../verify/gate/gate.ts";
import { owedText } from "../../verify/held-out/quote.ts";
import type { GateOptions } from "../gate/gate-options.ts";
import { keepingContract } from "../gate/keep-contract.ts";
import { runGate } from "../gate/run-gate.ts";
import type { Run } from "../hands/run.ts";
import type { Attempt } from "./attempt.ts";
import { specOf, type TodoWork, todoOf } from "./todo-work.ts";

/** Sends the tree of an attempt through the gate and returns the verdict. */
export async function judgeAttempt(
  run: Run,
  work: TodoWork,
  attempt: Attempt,
  { iteration, tree }: { iteration: number; tree: string },
): Promise<{ gate: GateRun; verdict: GateVerdict }> {
  const { language, baseline, accept, checks, quarantined, whole } = work;
  const { files, ids } = attempt.tests;
  const [spec, todo] = [specOf(work), todoOf(work)];
  const superseded = supersededBy(spec);
  const gate = await runGate(run, {
    name: iterationStep(iteration, "test"),
    tree,
    language,
    tests: files,
    baseline,
    suite: files.length > 0 || baseline !== null,
    accept,
    ...(spec && { checks, ...integrityOf(run.request.goal, spec, work, attempt) }),
  });
  const verdict = judge(gate, { files, baseline, ids, quarantined, superseded });
  const promised = { contract: spec?.contract, spec, todo, before: attempt.tree, whole };
  const about = { name: iterationStep(iteration, "contract"), tree: gate.tree, ...promised };
  return { gate, verdict: await keepingContract(run, about, verdict) };
}

/** Ids of the project's tests that the goal makes obsolete. */
export const supersededBy = (spec: Spec | undefined): string[] => (spec?.superseded ?? []).map(({ test }) => test);

/** A chore may be about the tests themselves. Then nothing is put back. */
function integrityOf(
  goal: string,
  spec: Spec,
  { base }: TodoWork,
  { integrityBase }: Attempt,
): Pick<GateOptions, "integrity" | "superseded"> {
  if (spec.kind === "chore") return {};
  const integrity = { before: integrityBase, base, asked: owedText(goal, spec) };
  return { integrity, superseded: supersededBy(spec) };
}
