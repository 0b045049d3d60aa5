import { judge } from "../../verify/gate/gate.ts";
import { describeVerdict } from "../gate/describe-red.ts";
import { runGate } from "../gate/run-gate.ts";
import type { Run } from "../hands/run.ts";
import { runTodo } from "../todo/run-todo.ts";
import type { TodoResult, TodoWork } from "../todo/todo-work.ts";
import { type PlanWork, strandName } from "./plan-work.ts";

/** Each part was green by itself. Together they are judged once more, and mended where they do not work together. */
export async function judgeMerged(
  run: Run,
  work: TodoWork,
  plan: Pick<PlanWork, "edition" | "unheard"> = {},
): Promise<TodoResult> {
  const name = strandName("merged", plan);
  const mend = (notes: string[]) => run.child(name, (merged) => runTodo(merged, { ...work, notes, name: "merged" }));
  if (plan.unheard && plan.unheard.length > 0) return mend(plan.unheard);
  const { tree, language, tests, baseline, accept, checks, ids = [], quarantined = [], spec } = work;
  const gate = await runGate(run, {
    name: "merged/test",
    tree,
    language,
    tests,
    baseline,
    suite: tests.length > 0 || baseline !== null,
    accept,
    ...(checks && { checks }),
    ...(spec?.contract && { contract: spec.contract }),
  });
  const superseded = (spec?.superseded ?? []).map(({ test }) => test);
  const verdict = judge(gate, { files: tests, baseline, ids, quarantined, superseded });
  if (verdict.passed) return { settled: { ok: true }, tree: gate.tree, iterations: [], gate, tampering: [] };
  const notes = [
    `The parts were made apart, and each was green. Together these are red:\n${describeVerdict(verdict)}\nMake them work together.`,
  ];
  return mend(notes);
}
