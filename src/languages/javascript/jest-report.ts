import { z } from "zod";
import type { TestCase } from "../../domain/evidence/test-report.ts";
import { readJson } from "../../domain/json.ts";
import { WORKSPACE } from "../../sandbox/sandbox.ts";
import { clip, identify, type ReportLines } from "../report-lines.ts";

/** Old runners take numbers and lists for names, too. */
const Title = z.unknown().transform(String);

/** What we use of `jest --json`, which `vitest --reporter=json` writes as well. */
const JestReport = z.lazy(() =>
  z.object({
    testResults: z.array(
      z.object({
        name: z.string(),
        message: z.string().optional(),
        assertionResults: z.array(
          z.object({
            ancestorTitles: z.array(Title),
            title: Title,
            status: z.string(),
            duration: z.number().nullish(),
            failureMessages: z.array(z.string()).nullish(),
          }),
        ),
      }),
    ),
  }),
);

const OUTCOMES: Record<string, TestCase["outcome"]> = { passed: "passed", failed: "failed", skipped: "skipped" };

/** Never throws: anything that is no such report holds no test. */
export function readJestReport(text: string): ReportLines {
  const report = JestReport.safeParse(readJson(text));
  if (!report.success) return { tests: [], running: [], ended: false };
  const names = new Map<string, number>();
  // Files run side by side and are reported as they finish.
  const files = report.data.testResults.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const tests = files.flatMap(({ name: path, message, assertionResults }): TestCase[] => {
    const file = path.slice(path.indexOf(`${WORKSPACE}/`) === 0 ? WORKSPACE.length + 1 : 0);
    if (assertionResults.length === 0) {
      const text = message || "no test of this file ran";
      return [{ ...identify(names, file, "file"), outcome: "error", durationMs: 0, message: clip(text) }];
    }
    return assertionResults.map((one) => ({
      ...identify(names, file, [...one.ancestorTitles, one.title].filter((title) => title !== "").join(" > ")),
      outcome: OUTCOMES[one.status] ?? "skipped",
      durationMs: one.duration ?? 0,
      message: clip((one.failureMessages ?? []).join("\n")),
    }));
  });
  return { tests, running: [], ended: true };
}
