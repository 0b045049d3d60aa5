import { z } from "zod";

/** A result whose tests stand where the project keeps its own. Its code is what was proven. */
export const TidiedTests = z.object({
  tree: z.string(),
  /** The same with the tests that the coder did not see and that passed; null where there are none. */
  full: z.string().nullable(),
  /** Tests that stand in another file now. */
  moved: z.array(z.object({ from: z.string(), to: z.string() })),
  /** How many tests `full` has more. */
  more: z.int(),
});
export type TidiedTests = z.infer<typeof TidiedTests>;
