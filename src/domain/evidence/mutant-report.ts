import { z } from "zod";
import { LineRange } from "./line-range.ts";

export const MutationOperator = z.enum([
  "comparison", // `a == b` → `a != b`
  "boundary", // `a < b` → `a <= b`
  "arithmetic", // `a + b` → `a - b`
  "constant", // `3` → `4`
  "return", // `return x` → `return None`
  "condition", // `if a` → `if not a`
  "call-removal", // `save(x)` → nothing
  "removal", // `import x` → nothing
  "put-back", // a piece of the change as it was before
  "value", // `return x` → another value of the same type
  "alike", // `return x` → nearly the same: only for comparing what two versions of a test let pass
  "input", // what a function was given is emptied when it is done
]);
export type MutationOperator = z.infer<typeof MutationOperator>;

/** One small change of one place of a file, which a good test notices. */
export const Mutant = z.lazy(() =>
  z.object({
    /** `path:line:operator:number`; the same for the same text. */
    id: z.string(),
    path: z.string(),
    /** Counted from 1. */
    line: z.int().positive(),
    /** From where its statement begins to itself: a runner may name any of these lines when it runs. */
    statement: LineRange,
    operator: MutationOperator,
    /** Offsets into the text, in UTF-16 units, as `slice` takes them. */
    from: z.int().nonnegative(),
    to: z.int().nonnegative(),
    replacement: z.string(),
    /** For people: `a < b` → `a <= b`. */
    description: z.string(),
    /** Of a piece that was put back: the part of the code that it is about, and names that it needs and that are gone. */
    of: z.string().optional(),
    lacks: z.array(z.string()).optional(),
    /** Of such a piece that nothing came in place of: what it said and the new code says less often. */
    gone: z.array(z.string()).optional(),
    /** And where the old text said it, if these are only values: offsets into that text. */
    went: z.array(z.object({ from: z.int().nonnegative(), to: z.int().nonnegative() })).optional(),
    /** It changes only what stands as it stood before the change. */
    stood: z.boolean().optional(),
  }),
);
export type Mutant = z.infer<typeof Mutant>;

export const MutantFate = z.enum([
  "killed", // a test that is green without it went red
  "timed-out", // the tests did not end in time, or hit a limit: counts as killed
  "compared", // old and new code agree on calls that come out otherwise with it: no test had to notice
  "survived", // no test noticed
  "not-run", // the time budget was used up before
  "skipped", // it means the same as the original, or cannot be compiled: no test could notice, or any would
]);
export type MutantFate = z.infer<typeof MutantFate>;

/** What the id of a file of tests ends with where it is red because it cannot be loaded. */
export const NOT_LOADED = "::collection";

export const MutantResult = z.lazy(() =>
  z.object({
    mutant: Mutant,
    fate: MutantFate,
    /** Tests that went red, by id. Running stops early, so others may notice it too. */
    killedBy: z.array(z.string()).default([]),
    /** Those of them whose own expectation failed; the others met an error, as any test does that runs the line. */
    expectedBy: z.array(z.string()).default([]),
    /** Why it was skipped, or that no test runs its line. */
    reason: z.string().default(""),
  }),
);
export type MutantResult = z.infer<typeof MutantResult>;

export const MutantReport = z.lazy(() =>
  z.object({
    results: z.array(MutantResult),
    counts: z.object({
      killed: z.int(),
      timedOut: z.int(),
      survived: z.int(),
      compared: z.int().default(0),
      notRun: z.int(),
      skipped: z.int(),
    }),
    /** Killed and timed out ÷ all that ran; null when fewer than 10 ran, or when the run cannot be trusted. */
    score: z.number().nullable(),
    /** For each requirement whose tests were named: the mutants that these killed, if an expectation killed one of them. */
    requirements: z
      .array(
        z.object({
          id: z.string(),
          killed: z.array(z.string()),
          /** Mutants that its tests ran with, and those that they would have run with, had there been time. */
          met: z.int().optional(),
          left: z.int().optional(),
        }),
      )
      .default([]),
    /** Null, or why no kill of this report counts: the tests are red without a mutant, the code watches its own text. */
    problem: z.string().nullable().default(null),
    /** How long all of it took, and one run of the tests without a mutant. */
    durationMs: z.number(),
    testRunMs: z.number(),
    /** `durationMs ÷ testRunMs`. */
    ratio: z.number(),
  }),
);
export type MutantReport = z.infer<typeof MutantReport>;

/** Below this many there is no score: each single one would weigh too much. */
export const FEWEST_FOR_SCORE = 10;

/** A test went red, or calls came out otherwise. */
export const isNoticed = (result: MutantResult): boolean => isKilled(result) || result.fate === "compared";

export const isKilled = ({ fate }: MutantResult): boolean => fate === "killed" || fate === "timed-out";

/** How many were noticed. */
export const noticedOf = ({ counts }: MutantReport): number => counts.killed + counts.timedOut;

export const survivors = ({ results }: MutantReport): Mutant[] =>
  results.filter(({ fate }) => fate === "survived").map(({ mutant }) => mutant);
