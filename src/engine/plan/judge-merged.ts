import { editionStrand, MERGED_STRAND } from "../../domain/task/step-path.ts";
import { judge } from "../../verify/gate/gate.ts";
import { describeVerdict } from "../gate/describe-red.ts";
import { runGate } from "../gate/run-gate.ts";
import type { Run } from "../hands/run.ts";
import { nextAttempt } from "../todo/attempt.ts";
import { supersededBy } from "../todo/judge-attempt.ts";
import { runTodo } from "../todo/run-todo.ts";
import { specOf, type TodoResult } from "../todo/todo-work.ts";
import type { BegunWork, PlanWork } from "./plan-work.ts";

/** Judges all parts together. Each part was green by itself; the coder mends what does not work together. */
export async function judgeMerged(
  run: Run,
  { work, attempt }: BegunWork,
  plan: Pick<PlanWork, "edition" | "unheard">,
): Promise<TodoResult> {
  const mend = (notes: string[]) =>
    run.child(editionStrand(MERGED_STRAND, plan.edition), (merged) =>
      runTodo(merged, work, nextAttempt(attempt, { reason: "merged", notes })),
    );
  if (plan.unheard.length > 0) return mend(plan.unheard);
  const { language, baseline, accept, checks, quarantined } = work;
  const { files, ids } = attempt.tests;
  const spec = specOf(work);
  const superseded = supersededBy(spec);
  const gate = await runGate(run, {
    name: "merged/test",
    tree: attempt.tree,
    language,
    tests: files,
    baseline,
    suite: files.length > 0 || baseline !== null,
    accept,
    checks,
    superseded,
    ...(spec?.contract && { contract: spec.contract }),
  });
  const verdict = judge(gate, { files, baseline, ids, quarantined, superseded });
  if (verdict.passed) return { settled: { ok: true }, tree: gate.tree, iterations: [], gate, tampering: [] };
  return mend([
    `The parts were made apart, and each was green. Together these are red:\n${describeVerdict(verdict)}\nMake them work together.`,
  ]);
}
