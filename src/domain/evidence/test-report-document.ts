import { z } from "zod";
import { CoverageReport } from "./coverage-report.ts";
import { TestReport } from "./test-report.ts";

export const TEST_REPORT_FORMAT = "miracle-test-report/1";

/** A run of tests with all that one needs to know where it was made: the form in which it leaves Miracle. */
export const TestReportDocument = z.lazy(() =>
  z.strictObject({
    format: z.literal(TEST_REPORT_FORMAT),
    task: z.string().optional(),
    /** The tree that was tested. */
    tree: z.string().optional(),
    environment: z.strictObject({
      /** Of interpreters, runners and libraries. */
      versions: z.record(z.string(), z.string()),
      sandbox: z.string(),
      limits: z.record(z.string(), z.number()).optional(),
    }),
    /** Of the changed lines; null when it was not measured. */
    coverage: CoverageReport.nullable(),
    report: TestReport,
  }),
);
export type TestReportDocument = z.infer<typeof TestReportDocument>;
