import { z } from "zod";

/** A result without the obsolete tests that are red on it. Its code is what was proven. */
export const RemovedTests = z.object({
  tree: z.string(),
  removed: z.array(z.string()),
  /** Obsolete tests that are red in it, because they could not be taken out alone. */
  red: z.array(z.string()),
});
export type RemovedTests = z.infer<typeof RemovedTests>;
