import type { MutantJob, SourceFile } from "../../languages/language.ts";
import { driverOrder } from "../witness/driver-order.ts";
import { type DriverReport, runDriver } from "../witness/run-driver.ts";
import type { AssertedLine } from "./asserted-line.ts";
import { failedExpectation } from "./failed-expectation.ts";
import type { JobResult } from "./job-result.ts";
import type { Surroundings } from "./surroundings.ts";
import { fileOf } from "./test-files.ts";

/** As for the clock: three times what the tests take without a mutant, and a second. */
const PATIENCE = 3;
const OUT_OF_TIME = 128 + 24;

/**
 * Mutants by the driver of the second witness, where a runner takes long to start. A test is driven as long as the driver
 * agrees with the runner that it is green without a mutant; whatever the driver cannot say is asked of the runner.
 */
export class DrivenTests {
  readonly #files: readonly SourceFile[];
  readonly #paths: ReadonlySet<string>;
  readonly #isAsserted: AssertedLine;
  readonly #unfit = new Set<string>();
  readonly #usualMs = new Map<string, number>();

  constructor(texts: ReadonlyMap<string, string>, isAsserted: AssertedLine) {
    this.#files = [...texts].map(([path, content]) => ({ path, content }));
    this.#paths = new Set(texts.keys());
    this.#isAsserted = isAsserted;
  }

  /** Null: the runner has to be asked. */
  async run(
    job: MutantJob,
    content: string,
    workspace: string,
    { language, toolchain, sandbox, limits, signal }: Surroundings,
  ): Promise<JobResult | null> {
    if (!language.drive || toolchain.runner === "script" || (toolchain.needs?.services.length ?? 0) > 0) return null;
    if (job.tests.some((id) => this.#unfit.has(id) || !this.#paths.has(fileOf(id)))) return null;
    const key = JSON.stringify([job.path, job.tests]);
    const usualMs = this.#usualMs.get(key) ?? job.timeoutMs / PATIENCE;
    const cpuSeconds = Math.ceil((PATIENCE * usualMs) / 1000) + 1;
    // No second turn: one is enough to notice something.
    const order = driverOrder(this.#files, job.tests, 0);
    const report = await runDriver(
      language.drive(order, { place: { path: job.path, content }, cpuSeconds }, toolchain),
      order.mark,
      {
        sandbox,
        limits: { ...limits, timeoutMs: Math.ceil(job.timeoutMs) },
        signal,
        toolchain,
        directory: workspace,
        zone: "UTC",
      },
    );
    const ending = endingOf(report);
    const unsaid = job.tests.filter((id) => (report.first.get(id)?.outcome ?? "not-run") === "not-run");
    if (job.mutant === null) {
      const unfit = job.tests.filter((id) => report.first.get(id)?.outcome !== "passed");
      for (const id of unfit) this.#unfit.add(id);
      if (unfit.length > 0) return null;
      this.#usualMs.set(key, report.result.durationMs);
    } else if (ending === "completed" && unsaid.length > 0) return null;
    return {
      id: job.id,
      ending,
      red: await this.#redOf(report),
      missing: [],
      ms: report.result.durationMs,
      cpuMs: 0,
    };
  }

  async #redOf({ first }: DriverReport): Promise<JobResult["red"]> {
    const red: JobResult["red"] = [];
    for (const [id, { outcome, message }] of first) {
      if (outcome !== "failed") continue;
      const file = fileOf(id);
      const test = { id, file, name: id.slice(file.length + 2), outcome, durationMs: 0, message };
      red.push({ id, expected: await failedExpectation(test, this.#isAsserted) });
    }
    return red;
  }
}

function endingOf({ result: { ending, exitCode, signal } }: DriverReport): JobResult["ending"] {
  if (ending !== "exited" || exitCode === OUT_OF_TIME || signal === "SIGXCPU") return "timeout";
  return exitCode === 0 ? "completed" : "crashed";
}
