import { z } from "zod";
import type { ApprovalRequest } from "../approval.ts";
import { fail } from "../failure.ts";

/** What a person allowed for always: the very same, by hashes of the command line or the findings. */
export const AlwaysRule = z.strictObject({
  /** What was asked, for people. */
  question: z.string(),
  /** Only for work on this directory; absent: everywhere. */
  directory: z.string().optional(),
  covers: z.array(z.string().regex(/^[0-9a-f]{32}$/)).min(1),
});
export type AlwaysRule = z.infer<typeof AlwaysRule>;

/** The rule that a yes becomes when it is to hold for good. Throws where there is nothing that could be wanted again. */
export function ruleOf(
  { id, subject, question, covers = [] }: Pick<ApprovalRequest, "id" | "subject" | "question" | "covers">,
  directory: string,
): AlwaysRule {
  if (covers.length > 0) return { question, directory, covers };
  const message = `question ${id} is about this ${subject} alone: it cannot be allowed for always`;
  throw fail("invalid-input", "approval.always", message);
}
