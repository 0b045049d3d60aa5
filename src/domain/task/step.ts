import { z } from "zod";

export const StepKind = z.enum(["model", "tool", "decision", "checkpoint", "compensation"]);
export type StepKind = z.infer<typeof StepKind>;

export const StepOutcome = z.enum(["ok", "failed"]);

/** One journaled effect, as a row. Contents are named by hash and live in blobs. */
export const Step = z.lazy(() =>
  z.object({
    task: z.string(),
    strand: z.string(),
    generation: z.int().nonnegative(),
    /** Place in the strand, from 0. */
    position: z.int().nonnegative(),
    /** Order of recording over all strands of the task: a fork cuts here. */
    sequence: z.int().nonnegative(),
    path: z.string(),
    kind: StepKind,
    inputHash: z.string(),
    outcome: StepOutcome,
    outputHash: z.string(),
    startedAt: z.int(),
    endedAt: z.int(),
    previousHash: z.string(),
    hash: z.string(),
  }),
);
export type Step = z.infer<typeof Step>;
