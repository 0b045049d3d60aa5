import { z } from "zod";
import { Measured } from "../../domain/evidence/measured.ts";
import { ResultScan } from "../../domain/evidence/result-scan.ts";
import { TestReport } from "../../domain/evidence/test-report.ts";
import { TestFile } from "../../domain/plan/test-file.ts";
import type { Step } from "../../domain/task/step.ts";
import { isTaskStep, nameOf } from "../../domain/task/step-path.ts";
import { unpack } from "../../journal/pack.ts";
import type { Recording } from "../../journal/recording.ts";
import { GateRun } from "../gate/gate.ts";
import type { CheckResult } from "../gate/project-checks.ts";
import { stepsOfTask } from "./recorded-task.ts";

/** What the journal holds of the runs that decided. */
export interface RecordedRuns {
  baseline: TestReport | null;
  /** The last run of a gate that had tests. */
  gate: TestReport | null;
  /** Lint and type check in that run. */
  checks: CheckResult[];
  versions: Record<string, string>;
  /** Mutants, repeats and coverage of the finished change. */
  measured: Measured | null;
  /** What was found in the result when it was kept; null before that. */
  scan: ResultScan | null;
  /** The files of tests that the coder never saw, as they were last run. */
  heldOut: TestFile[];
  /** Those of tests that were written for mutants which nobody noticed. */
  sharpened: TestFile[];
}

const HeldOutRun = z.object({ files: z.array(TestFile) });
const SharpenedRun = z.object({ tests: z.array(z.unknown()).min(1) });
const Tools = z.object({ versions: z.record(z.string(), z.string()), testCommand: z.string() });

const isKeeping = ({ path, outcome }: Step) => outcome === "ok" && isTaskStep(path, "evidence");

export async function recordedRuns(recording: Recording): Promise<RecordedRuns> {
  const runs: RecordedRuns = {
    baseline: null,
    gate: null,
    checks: [],
    versions: {},
    measured: null,
    scan: null,
    heldOut: [],
    sharpened: [],
  };
  const heldOut = new Map<string, TestFile>();
  const load = (hash: string) => recording.blob(hash);
  for (const step of await stepsOfTask(recording)) {
    if (isKeeping(step)) runs.scan = ResultScan.parse(await unpack(step.outputHash, load));
    if (step.kind !== "tool" || step.outcome !== "ok") continue;
    const output = await unpack(step.outputHash, load);
    if (nameOf(step.path) === "held-out") {
      const { files } = HeldOutRun.parse(await unpack(step.inputHash, load));
      for (const file of files) heldOut.set(file.path, file);
    }
    if (nameOf(step.path) === "sharpened" && SharpenedRun.safeParse(output).success) {
      runs.sharpened = HeldOutRun.parse(await unpack(step.inputHash, load)).files;
    }
    const gate = GateRun.safeParse(output);
    if (gate.success && gate.data.report) {
      runs.gate = gate.data.report;
      runs.checks = gate.data.checks ?? [];
    }
    if (nameOf(step.path) === "baseline") runs.baseline = TestReport.safeParse(output).data ?? null;
    if (nameOf(step.path) === "mutants") runs.measured = Measured.safeParse(output).data ?? null;
    const tools = Tools.safeParse(output);
    if (tools.success) runs.versions = tools.data.versions;
  }
  const sharpened = runs.sharpened.filter(({ path }) => !heldOut.has(path));
  return { ...runs, sharpened, heldOut: [...heldOut.values()] };
}
