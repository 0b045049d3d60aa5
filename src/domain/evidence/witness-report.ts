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
    /**
     * Of one that was not run: it fails under our driver, with its runner around it, too. Nobody knows whether the driver
     * is at fault or the code knows it, so nothing is shown by it.
     */
    unlike: z.boolean().optional(),
    /** What it depends on besides: its state in one process, the time zone. Nobody is blamed for that here. */
    note: z.string().optional(),
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

/**
 * Whether a witness leaves a requirement shown. One test that agrees is enough; tests that our driver lacks something for
 * speak neither for nor against it.
 */
export function witnessOf(
  { tests }: WitnessReport,
  ids: readonly string[],
): "agrees" | "differs" | "unlike" | "lacking" {
  const own = tests.filter(({ id }) => ids.includes(id));
  if (own.some(({ outcome }) => outcome === "failed")) return "differs";
  if (own.some(({ outcome }) => outcome === "passed")) return "agrees";
  return own.some(({ unlike }) => unlike === true) ? "unlike" : "lacking";
}
