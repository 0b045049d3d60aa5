import type { MutantReport } from "../src/domain/mutant-report.ts";
import { Python } from "../src/languages/python/python.ts";
import { runSample } from "../src/verify/mutants/sample-run.ts";
import { type Measurement, measurement, median } from "./measurement.ts";
import { warehouse } from "./warehouse.ts";

/**
 * Every mutant of a module, against the tests that run its line, as the gate does it on two cores. It takes long and is
 * a median over hundreds of runs by itself: once is enough.
 */
export const measureMutants = (): Measurement => {
  let once: Promise<MutantReport> | undefined;
  return measurement(
    ["mutants", "mutants-ratio"],
    () => {
      once ??= run();
      return once;
    },
    (reports) => {
      const { counts, results, testRunMs } = reports[0] ?? { counts: null, results: [], testRunMs: Number.NaN };
      const killed = (counts?.killed ?? 0) + (counts?.timedOut ?? 0);
      return [
        {
          name: "mutants",
          what: "mutants of 300 lines of Python, 40 tests",
          value: median(reports.map(({ durationMs }) => durationMs)),
          unit: "ms",
          bar: 60_000,
          detail: `${results.length} mutants, ${killed} killed, ${counts?.survived} survived, ${counts?.notRun} not run`,
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

async function run(): Promise<MutantReport> {
  const language = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });
  const { report } = await runSample(warehouse(), { language, paths: ["warehouse.py"] });
  if (report.problem !== null) throw new Error(report.problem);
  return report;
}
