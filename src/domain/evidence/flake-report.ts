import { z } from "zod";

/** How a repeated run differed from the one before. */
export const Variation = z.object({
  /** Null: the order of the runner. */
  orderSeed: z.int().nullable(),
  /** Of hashes and of property tests. */
  seed: z.int(),
  /** Time zone as in the variable TZ: it moves the local hour, and not the clock itself. */
  timeZone: z.string(),
});
export type Variation = z.infer<typeof Variation>;

export const FlakeReport = z.lazy(() =>
  z.object({
    /** Flaky before the change already: their outcome counts for nothing, either way. */
    quarantined: z.array(z.string()),
    /** Changed their outcome only after the change: red. */
    flipped: z.array(z.object({ id: z.string(), outcomes: z.array(z.string()), message: z.string().default("") })),
    /** Tests that were repeated. */
    repeated: z.array(z.string()),
    repeats: z.array(Variation),
    /** Whether the suite before the change passes in another order; null when that was not tried. */
    baseShuffles: z.boolean().nullable(),
    /** What was not varied, and why: `order: the suite before the change depends on its order`. */
    notVaried: z.array(z.string()).default([]),
  }),
);
export type FlakeReport = z.infer<typeof FlakeReport>;
