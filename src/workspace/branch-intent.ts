import { z } from "zod";
import { FileChange } from "./apply-intent.ts";

/**
 * Everything about a branch for the user's repository, recorded before it gets its name there. The commit's id follows
 * from the other fields. So making it again gives the same commit, and an undo can tell it from any other.
 */
export const BranchIntent = z.lazy(() =>
  z.object({
    version: z.literal(1),
    /** The name for people: `feature/pears`. */
    branch: z.string(),
    /** The commit of HEAD; null in a repository without a commit. */
    parent: z.string().nullable(),
    commit: z.string(),
    base: z.string(),
    result: z.string(),
    /** Paths start at the top of the repository. */
    changes: z.array(FileChange),
    message: z.string(),
    /** Epoch milliseconds. */
    at: z.int(),
  }),
);
export type BranchIntent = z.infer<typeof BranchIntent>;

export const refOf = (branch: string): string => `refs/heads/${branch}`;
