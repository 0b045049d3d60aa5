import { z } from "zod";
import { CoverageReport } from "../domain/coverage-report.ts";
import { FlakeReport } from "../domain/flake-report.ts";
import { MutantReport } from "../domain/mutant-report.ts";

/** Whether the tests of a finished change can fail, whether they always say the same, and which changed lines they run. */
export const Measured = z.lazy(() =>
  z.object({
    mutants: MutantReport.nullable(),
    flakes: FlakeReport.nullable(),
    coverage: CoverageReport.nullable(),
    /** Why there is nothing to say about mutants; empty when there is. */
    why: z.string(),
  }),
);
export type Measured = z.infer<typeof Measured>;
