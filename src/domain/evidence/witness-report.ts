import { z } from "zod";

/**
 * What a second witness saw of tests that their runner calls green: it runs them as code is used, without the runner and
 * in a person's surroundings. `failed`: it works only where it is tested. `not-run`: a fact about our witness.
 */
export const WitnessedTest = z.lazy(() =>
  z.object({
    id: z.string(),
    outcome: z.enum(["passed", "failed", "not-run"]),
    /** Of a failed one: what the witness saw. */
    message: z.string(),
    /** Of one that was not run: why. */
    why: z.string(),
    /** It went another way the second time in one process, with and without its runner: what its state made of it. */
    again: z.string().optional(),
  }),
);
export type WitnessedTest = z.infer<typeof WitnessedTest>;

export const WitnessReport = z.lazy(() =>
  z.object({
    tests: z.array(WitnessedTest),
    /** Why nothing could be witnessed; null where something was. */
    problem: z.string().nullable(),
  }),
);
export type WitnessReport = z.infer<typeof WitnessReport>;
