import { availableParallelism, loadavg } from "node:os";
import type { MutantReport } from "../src/domain/evidence/mutant-report.ts";
import { Python } from "../src/languages/python/python.ts";
import { openSandbox } from "../src/sandbox/open-sandbox.ts";
import { runSample } from "../test/sample-run.ts";
import { type Measurement, measurement, median } from "./measurement.ts";
import { TimedSandbox } from "./timed-sandbox.ts";
import { warehouse } from "./warehouse.ts";

/**
 * Every mutant of a module, against the tests that run its line, as the gate does it on two cores. It takes long and is
 * a median over hundreds of runs by itself: once is enough.
 */
export const measureMutants = (): Measurement => {
  let once: Promise<MeasuredMutants> | undefined;
  return measurement(
    ["mutants", "mutants-processor", "mutants-ratio"],
    () => {
      once ??= run();
      return once;
    },
    (reports) => {
      const [first] = reports;
      if (!first) return [];
      const { counts, results, testRunMs, cpuMs, load } = first;
      const killed = counts.killed + counts.timedOut;
      return [
        {
          name: "mutants",
          what: "mutants of 300 lines of Python, 40 tests",
          value: median(reports.map(({ durationMs }) => durationMs)),
          unit: "ms",
          bar: 60_000,
          detail: `${results.length} mutants, ${killed} killed, ${counts.survived} survived, ${counts.notRun} not run; load ${load.toFixed(1)} on ${availableParallelism()} cores`,
        },
        // What it costs whatever else the machine does: on two cores at least half of it passes on the clock.
        {
          name: "mutants-processor",
          what: "the same, processor time",
          value: cpuMs,
          unit: "ms",
          bar: 120_000,
          detail: `${(cpuMs / Math.max(1, results.length - counts.notRun)).toFixed(0)} ms for each that ran`,
        },
        {
          name: "mutants-ratio",
          what: "mutants ÷ one test run",
          value: median(reports.map(({ ratio }) => ratio)),
          unit: "×",
          bar: null,
          detail: `one test run ${testRunMs.toFixed(0)} ms`,
        },
      ];
    },
  );
};

interface MeasuredMutants extends MutantReport {
  cpuMs: number;
  load: number;
}

async function run(): Promise<MeasuredMutants> {
  await using sandbox = new TimedSandbox(openSandbox({ backend: "bubblewrap" }));
  const language = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });
  const { report } = await runSample(warehouse(), { language, paths: ["warehouse.py"], sandbox });
  if (report.problem !== null) throw new Error(report.problem);
  return { ...report, cpuMs: sandbox.processorMs, load: loadavg()[0] ?? Number.NaN };
}
