import type { TracedRun } from "../../languages/trace-tests.ts";

/** The run as if these tests were not there. */
export function withoutTests(traced: TracedRun, left: ReadonlySet<string>): TracedRun {
  if (left.size === 0) return traced;
  const report = { ...traced.report, tests: traced.report.tests.filter(({ id }) => !left.has(id)) };
  const lines =
    traced.lines &&
    new Map(
      [...traced.lines].map(([path, known]) => {
        const kept = [...known].map(
          ([line, tests]) => [line, new Set([...tests].filter((id) => !left.has(id)))] as const,
        );
        return [path, new Map(kept.filter(([, tests]) => tests.size > 0))] as const;
      }),
    );
  return { ...traced, report, lines };
}
