import { z } from "zod";

/** A file of the tester's: what must be green once its todo is done, and which requirement each test checks. */
export const TestFile = z.lazy(() =>
  z.object({
    path: z.string(),
    content: z.string(),
    heldOut: z.boolean().optional(),
    todo: z.string(),
    covers: z.array(z.object({ test: z.string(), requirement: z.string() })).min(1),
  }),
);
export type TestFile = z.infer<typeof TestFile>;
