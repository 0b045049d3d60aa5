import { z } from "zod";
import { BranchReason } from "../plan/branch.ts";

/** A given test that was shown to be at fault, and what stands in its place. */
export const ReplacedTest = z.lazy(() =>
  z.object({
    /** `file::test`. */
    test: z.string(),
    requirements: z.array(z.string()),
    cause: BranchReason,
    /** What showed it, in words. */
    why: z.string(),
    /** The spec's words that it went against or beyond. */
    quote: z.string().optional(),
    /** The tests in its place, `file::test`. */
    by: z.array(z.string()),
  }),
);
export type ReplacedTest = z.infer<typeof ReplacedTest>;
