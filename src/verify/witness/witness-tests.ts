import type { WitnessReport } from "../../domain/evidence/witness-report.ts";
import type { SandboxLimits } from "../../domain/settings/settings.ts";
import type { Language, SourceFile, Toolchain } from "../../languages/language.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { driverOrder } from "./driver-order.ts";
import { guiseFor } from "./guise.ts";
import { judgeWitness, type WitnessRuns } from "./judge-witness.ts";
import { type DriverPlace, type DriverReport, runDriver } from "./run-driver.ts";

export interface WitnessRequest {
  sandbox: Sandbox;
  limits: SandboxLimits;
  signal: AbortSignal;
  language: Language;
  toolchain: Toolchain;
  /** What the project is called, for its directory. */
  project: string;
  /** The tree in an empty directory, without files that only tests know; called anew for every run. */
  layOut(): Promise<string>;
  /** With their text: they need not be in the tree. */
  files: SourceFile[];
  /** `path::name` of tests that are green in their runner, as it names them. */
  ids: string[];
}

/** Each side is seen so often before anybody is blamed. */
const TIMES = 2;

/**
 * A second witness: code must not know that it is tested. The tests run once more as a person's script would call the
 * code; where that differs from what the runner says, the same driver is asked again with the runner around it.
 */
export async function witnessTests(request: WitnessRequest): Promise<WitnessReport> {
  const { language, ids } = request;
  const problem = obstacle(request);
  if (problem !== null) {
    return { problem, tests: ids.map((id) => ({ id, outcome: "not-run", message: "", why: problem })) };
  }
  const runs: WitnessRuns = { inUse: [await runOnce(request, ids, "use")], inRunner: [], inZone: null };
  const doubtful = ids.filter((id) => runs.inUse.some((report) => isRed(report, id)));
  if (doubtful.length > 0 && language.witnessInRunner) {
    // All tests of the same order: what one leaves behind, another may meet.
    for (let time = 0; time < TIMES; time++) runs.inRunner.push(await runOnce(request, ids, "runner"));
    for (let time = 1; time < TIMES; time++) runs.inUse.push(await runOnce(request, ids, "use"));
    const isShared = doubtful.some((id) => runs.inRunner.some((report) => report.first.get(id)?.outcome === "failed"));
    if (isShared) runs.inZone = await runOnce(request, ids, "use", "UTC");
  }
  return { problem: null, tests: ids.map((id) => judgeWitness(id, runs)) };
}

function obstacle({ language, toolchain }: WitnessRequest): string | null {
  if (!language.witness) return `tests of ${language.name} need their runner`;
  if ((toolchain.needs?.services.length ?? 0) > 0) return "tests that need services run only with their runner";
  return null;
}

const isRed = ({ first, second }: DriverReport, id: string): boolean =>
  first.get(id)?.outcome === "failed" || second.get(id)?.outcome === "failed";

async function runOnce(
  request: WitnessRequest,
  ids: string[],
  where: "use" | "runner",
  zone?: string,
): Promise<DriverReport> {
  const { language, toolchain, sandbox, limits, signal } = request;
  const order = driverOrder(request.files, ids, limits.timeoutMs / 4000);
  const make = where === "use" ? language.witness : language.witnessInRunner;
  const run = make?.call(language, order, toolchain);
  if (!run) throw new Error(`${language.name} has no driver`);
  const directory = await request.layOut();
  // No other backend can look like somebody's machine; there the runner alone is missing.
  const isGuised = where === "use" && sandbox.backend === "bubblewrap";
  const usual = guiseFor(request.project);
  const guise = { ...usual, zone: zone ?? usual.zone };
  const place: DriverPlace = {
    sandbox,
    limits,
    signal,
    toolchain,
    directory,
    zone: guise.zone,
    ...(isGuised && { guise }),
  };
  return runDriver(run, order.mark, place);
}
