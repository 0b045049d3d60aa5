import { z } from "zod";
import { FileChange } from "./apply-intent.ts";

/**
 * All of a branch that is about to be made in the user's repository, recorded before it has a name there. The commit's
 * id follows from the rest, so that making it again gives the same one, and taking it back can tell it from any other.
 */
export const BranchIntent = z.lazy(() =>
  z.object({
    version: z.literal(1),
    /** As people say it: `feature/pears`. */
    branch: z.string(),
    /** What HEAD was; null in a repository without a commit. */
    parent: z.string().nullable(),
    commit: z.string(),
    base: z.string(),
    result: z.string(),
    /** From the top of the repository. */
    changes: z.array(FileChange),
    message: z.string(),
    /** Epoch milliseconds. */
    at: z.int(),
  }),
);
export type BranchIntent = z.infer<typeof BranchIntent>;

export const refOf = (branch: string): string => `refs/heads/${branch}`;
