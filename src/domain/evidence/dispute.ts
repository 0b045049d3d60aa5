import { z } from "zod";

/** A red test that the coder could not see, and whether the spec says what it asserts. */
export const Dispute = z.object({
  test: z.string(),
  requirement: z.string(),
  ruling: z.enum(["upheld", "void"]),
  /** The spec's words that entail the assertion. */
  quote: z.string(),
  reason: z.string(),
});
export type Dispute = z.infer<typeof Dispute>;
