import { z } from "zod";

/** How the tests went with one mutant, or without one. */
export const JobResult = z.lazy(() =>
  z.object({
    id: z.string(),
    ending: z.enum(["completed", "timeout", "crashed"]),
    /** Tests and files that went red; `expected`: an expectation of the test itself failed. */
    red: z.array(z.object({ id: z.string(), expected: z.boolean() })),
    /** Tests that should have run and were not found. */
    missing: z.array(z.string()),
    ms: z.number(),
    /** Time of the processor, where it was counted. */
    cpuMs: z.number().default(0),
  }),
);
export type JobResult = z.infer<typeof JobResult>;

export interface BatchResult {
  results: JobResult[];
  /** Tests that killed something, and were red afterwards without a mutant as well. */
  stillRed: string[];
}
