import { z } from "zod";

/** One of several attempts at the same todo, each made for another explanation of why it is red. */
export const Candidate = z.object({
  number: z.int().positive(),
  tree: z.string(),
  /** Its todo's own tests. */
  green: z.boolean(),
  /** How far it is from green. */
  red: z.int().nonnegative(),
  /** Of the tests that no coder saw; null when they were not needed to choose. */
  unseenRed: z.int().nonnegative().nullable(),
  changedLines: z.int().nonnegative(),
  /** Of its last test run. */
  durationMs: z.number().nonnegative(),
});
export type Candidate = z.infer<typeof Candidate>;

/** Whether the tests that everybody saw leave a choice: only then are unseen ones spent on it. */
export const needsUnseenToChoose = (candidates: Candidate[]): boolean =>
  candidates.filter(({ green }) => green).length > 1;

/** Compared in this order: visible tests, unseen tests, size of the change, time, number. No model is asked. */
export function chooseCandidate(candidates: Candidate[]): Candidate {
  const [best] = candidates.toSorted(
    (a, b) =>
      Number(b.green) - Number(a.green) ||
      a.red - b.red ||
      (a.unseenRed ?? 0) - (b.unseenRed ?? 0) ||
      a.changedLines - b.changedLines ||
      a.durationMs - b.durationMs ||
      a.number - b.number,
  );
  if (!best) throw new Error("there is no candidate to choose from");
  return best;
}
