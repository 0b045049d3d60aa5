import type { Spec } from "../../domain/plan/spec.ts";
import type { TaskOutcome } from "../../domain/task/task.ts";
import { gatherEvidence } from "../../verify/evidence/gather-evidence.ts";
import { isProvable, missingProof } from "../../verify/evidence/judge-evidence.ts";
import type { Run } from "../hands/run.ts";
import type { Survey } from "../planning/survey.ts";
import { supersededBy } from "../todo/judge-attempt.ts";
import type { TodoResult } from "../todo/todo-work.ts";
import { deliver } from "./deliver.ts";
import { keepResult } from "./keep-result.ts";
import { recordEnvironment } from "./record-environment.ts";
import { removeObsolete } from "./remove-obsolete.ts";
import { type ProvenTests, tidyTests } from "./tidy-tests.ts";

/** The sources of the evidence, except the last run of the gate. */
export type Sources = Omit<Parameters<typeof gatherEvidence>[0], "run">;

/** What the result was tested by. */
export type TestsOfResult = Pick<ProvenTests, "language" | "checks" | "visible" | "unseen">;

/** Turns the last todo's result into the result of the task: evidence, verdict, delivery. */
export async function conclude(
  run: Run,
  survey: Survey,
  result: TodoResult,
  sources: Sources,
  tests?: TestsOfResult,
): Promise<TaskOutcome> {
  const { settled, tree, gate } = result;
  if (!settled.ok) {
    // The best attempt is kept with its evidence: a person may decide to take it although it is not proven.
    await keepResult(run, tree, gate?.tree === tree ? gatherEvidence({ ...sources, run: gate }) : null);
    return { status: "not-proven", tree, failure: settled.failure };
  }
  if (!gate) throw new Error("a todo that is done has been run");
  await recordEnvironment(run, sources.spec?.language ?? survey.language, tree);
  const evidence = gatherEvidence({ ...sources, run: gate });
  await keepResult(run, tree, evidence);
  const { spec } = sources;
  const missing = spec && missingProof(evidence, spec.kind, run.settings.mutationScore);
  if (missing) {
    const message = `the tests are green, but ${missing}`;
    return { status: "not-proven", tree, failure: { kind: "spec-mismatch", code: "evidence.missing", message } };
  }
  const base = survey.base ?? survey.tree;
  const taken =
    tests && gate.report ? await arranged(run, { ...tests, base: survey.tree, tree, report: gate.report }, spec) : tree;
  const delivery = await deliver(run, base, taken, { spec, evidence });
  const proven = spec !== undefined && isProvable(spec.kind, evidence);
  return { status: proven ? "proven" : "checked", tree: taken, delivery };
}

/** What is delivered: the tree that was proven, with its tests as a maintainer would have them. */
async function arranged(run: Run, proven: ProvenTests, spec: Spec | undefined): Promise<string> {
  const without = await removeObsolete(run, proven, supersededBy(spec));
  const gone = new Set(without?.removed);
  const report = { ...proven.report, tests: proven.report.tests.filter(({ id }) => !gone.has(id)) };
  const tidied = await tidyTests(run, { ...proven, tree: without?.tree ?? proven.tree, report });
  return (run.request.keepTests && tidied.full) || tidied.tree;
}
