import { z } from "zod";
import type { TestCase } from "../../domain/evidence/test-report.ts";
import { readJson } from "../../domain/json.ts";
import { WORKSPACE } from "../../sandbox/sandbox.ts";
import { clip, identify, type ReportLines } from "../report-lines.ts";

const Entry = z.lazy(() =>
  z.object({
    fullTitle: z.string(),
    file: z.string(),
    duration: z.number().optional(),
    err: z.object({ stack: z.string().optional(), message: z.string().optional() }).optional(),
  }),
);
type Entry = z.infer<typeof Entry>;

/** What we use of `mocha --reporter json`. */
const MochaReport = z.lazy(() =>
  z.object({ tests: z.array(Entry), passes: z.array(Entry), failures: z.array(Entry), pending: z.array(Entry) }),
);

/** Never throws: anything that is no such report holds no test. */
export function readMochaReport(text: string): ReportLines {
  const report = MochaReport.safeParse(readJson(text));
  if (!report.success) return { tests: [], running: [], ended: false };
  const { tests, passes, failures, pending } = report.data;
  const key = ({ file, fullTitle }: Entry) => `${file}\0${fullTitle}`;
  const [passed, failed, skipped, known] = [passes, failures, pending, tests].map((list) => new Set(list.map(key)));
  // A hook that failed is no test of the report, but it is why tests are missing.
  const hooks = failures.filter((one) => !known?.has(key(one)));
  const names = new Map<string, number>();
  const cases = [...tests, ...hooks].map((one): TestCase => {
    const ofKey = key(one);
    const broke = hooks.includes(one) ? "error" : "failed";
    const outcome = failed?.has(ofKey)
      ? broke
      : skipped?.has(ofKey)
        ? "skipped"
        : passed?.has(ofKey)
          ? "passed"
          : "error";
    const file = one.file.startsWith(`${WORKSPACE}/`) ? one.file.slice(WORKSPACE.length + 1) : one.file;
    const message = clip(one.err?.stack ?? one.err?.message ?? "");
    return { ...identify(names, file, one.fullTitle), outcome, durationMs: one.duration ?? 0, message };
  });
  return { tests: cases, running: [], ended: true };
}
