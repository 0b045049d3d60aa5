import { z } from "zod";

/** Tests that were written for mutants which nobody noticed. They support no requirement, whatever they say. */
export const Sharpened = z.lazy(() =>
  z.object({
    tests: z.array(
      z.object({
        id: z.string(),
        requirement: z.string(),
        /**
         * `kept`: green, and it notices a mutant that no other test did. `idle`: green, and it notices none.
         * `upheld`: red, and the spec says what it asserts. `mended`: it was, and the change does it now.
         * `void`: red, and the spec does not say it.
         */
        end: z.enum(["kept", "idle", "upheld", "mended", "void"]),
        /** What it noticed, in words. */
        noticed: z.array(z.string()),
        reason: z.string(),
      }),
    ),
    /** Why there are none; empty when there are. */
    why: z.string(),
  }),
);
export type Sharpened = z.infer<typeof Sharpened>;
