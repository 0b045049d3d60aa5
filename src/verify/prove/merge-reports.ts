import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";

/** From the best to the worst: what one suite could not finish, the whole did not. */
const ENDINGS: TestReport["ending"][] = ["completed", "crashed", "resource-limit", "timeout"];

/** What suites of several languages say, as one. Their paths tell their tests apart. */
export function mergeReports(reports: readonly TestReport[]): TestReport {
  const [first, ...others] = reports;
  if (!first) throw new Error("no suite was run");
  return others.reduce(
    (all, one) => ({
      command: `${all.command} && ${one.command}`,
      ending: ENDINGS[Math.max(ENDINGS.indexOf(all.ending), ENDINGS.indexOf(one.ending))] ?? "crashed",
      exitCode: all.exitCode === 0 ? one.exitCode : all.exitCode,
      tests: [...all.tests, ...one.tests],
      output: `${all.output}\n${one.output}`,
      durationMs: all.durationMs + one.durationMs,
    }),
    first,
  );
}

/** Lines of which one suite knows are known; a file that none of them could watch has none. */
export function mergeTraces(traces: readonly TracedRun[]): TracedRun {
  const [first, ...others] = traces;
  if (!first || others.length === 0) return first ?? EMPTY;
  const lines: NonNullable<TracedRun["lines"]> = new Map();
  for (const trace of traces) {
    for (const [path, known] of trace.lines ?? []) {
      const merged = lines.get(path) ?? new Map<number, Set<string>>();
      lines.set(path, merged);
      for (const [line, tests] of known) merged.set(line, new Set([...(merged.get(line) ?? []), ...tests]));
    }
  }
  return {
    report: mergeReports(traces.map(({ report }) => report)),
    lines: traces.every((trace) => trace.lines === null) ? null : lines,
    reason: traces.map(({ reason }) => reason).find((reason) => reason !== "") ?? "",
    modules: [...new Set(traces.flatMap(({ modules }) => modules))].sort(),
    reads: traces.flatMap(({ reads }) => reads ?? []),
  };
}

const EMPTY: TracedRun = {
  report: { command: "", ending: "completed", exitCode: 0, tests: [], output: "", durationMs: 0 },
  lines: null,
  reason: "there are no tests",
  modules: [],
};
