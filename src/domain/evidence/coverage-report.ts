import { z } from "zod";
import { LineRange } from "./line-range.ts";

/** Which of the changed lines that do something are run by a test. */
export const CoverageReport = z.lazy(() =>
  z.object({
    files: z.array(
      z.discriminatedUnion("available", [
        z.object({
          available: z.literal(true),
          path: z.string(),
          covered: z.array(LineRange),
          /** Changed, executable, and run by no test. */
          uncovered: z.array(LineRange),
        }),
        z.object({ available: z.literal(false), path: z.string(), reason: z.string() }),
      ]),
    ),
    /** Covered ÷ executable changed lines; null when there are none, or nothing is known. */
    share: z.number().nullable(),
  }),
);
export type CoverageReport = z.infer<typeof CoverageReport>;
