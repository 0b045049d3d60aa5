import { z } from "zod";
import { Measured } from "../domain/evidence/measured.ts";
import { TEST_REPORT_FORMAT, type TestReportDocument } from "../domain/evidence/test-report-document.ts";
import { fail } from "../domain/failure.ts";
import type { Step } from "../domain/task/step.ts";
import { nameOf } from "../domain/task/step-path.ts";
import type { TaskSummary } from "../domain/task/task.ts";
import { newestSteps } from "../journal/fork.ts";
import { readFrozen } from "../journal/journal.ts";
import { unpack } from "../journal/pack.ts";
import type { Recording } from "../journal/recording.ts";
import { GateRun } from "../verify/gate/gate.ts";

export interface Recordings {
  recording(task: string): Promise<Recording>;
}

/** The last run of a task's tests by the gate, with where it was made and what it covered; from the journal alone. */
export async function reportOfTask(app: Recordings, { id }: Pick<TaskSummary, "id">): Promise<TestReportDocument> {
  const recording = await app.recording(id);
  const last = await lastOutputs(recording);
  const run = await last("test", GateRun, ({ report }) => report !== null);
  if (!run?.report) throw fail("invalid-input", "report.none", `no tests were run in task ${id} yet`);
  const tools = await last("tools", Tools, () => true);
  const measured = await last("mutants", Measured, () => true);
  const { sandbox } = (await readFrozen(recording)).settings;
  return {
    format: TEST_REPORT_FORMAT,
    task: id,
    tree: run.tree,
    environment: { versions: tools?.versions ?? {}, sandbox: sandbox.backend, limits: { ...sandbox.limits } },
    coverage: measured?.coverage ?? null,
    report: run.report,
  };
}

/** What the last gate saw; null: none was run yet. */
export async function lastGate(app: Recordings, { id }: Pick<TaskSummary, "id">): Promise<GateRun | null> {
  const last = await lastOutputs(await app.recording(id));
  return last("test", GateRun, ({ report }) => report !== null);
}

type LastOutput = <T>(named: string, shape: z.ZodType<T>, fits: (value: T) => boolean) => Promise<T | null>;

/** Finds the newest output of a step of this name. */
async function lastOutputs(recording: Recording): Promise<LastOutput> {
  const steps = (await newestSteps(recording)).filter(({ kind, outcome }) => kind === "tool" && outcome === "ok");
  return async (named, shape, fits) => {
    for (const step of steps.filter(({ path }: Step) => nameOf(path) === named).reverse()) {
      const parsed = shape.safeParse(await unpack(step.outputHash, (hash) => recording.blob(hash)));
      if (parsed.success && fits(parsed.data)) return parsed.data;
    }
    return null;
  };
}

const Tools = z.object({ versions: z.record(z.string(), z.string()) });
