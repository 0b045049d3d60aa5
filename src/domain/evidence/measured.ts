import { z } from "zod";
import { CoverageReport } from "./coverage-report.ts";
import { FlakeReport } from "./flake-report.ts";
import { MutantReport } from "./mutant-report.ts";

/** How sensitive the tests of one requirement are to mutants. */
export const Sensitivity = z.object({
  /** Of the requirement. */
  id: z.string(),
  state: z.enum([
    "noticed", // an expectation of these tests failed with a mutant
    "unnoticed", // they ran with mutants, and none made an expectation fail
    "no-time", // some are left that they never ran with
    "no-mutant", // no changed line that they run has anything to mutate
    "absent", // its tests did not run where mutants were tried
    "untold", // the tests are red without a mutant as well, so that no kill counts
  ]),
});
export type Sensitivity = z.infer<typeof Sensitivity>;

/** Whether the tests of a finished change can fail, whether they always say the same, and which changed lines they run. */
export const Measured = z.lazy(() =>
  z.object({
    mutants: MutantReport.nullable(),
    flakes: FlakeReport.nullable(),
    coverage: CoverageReport.nullable(),
    /** Why there is nothing to say about mutants; empty when there is. */
    why: z.string(),
    /** Of the tests of each requirement. */
    sensitivity: z.array(Sensitivity),
  }),
);
export type Measured = z.infer<typeof Measured>;
