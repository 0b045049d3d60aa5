import { z } from "zod";

/** What a person can be asked to allow. `--approve deps,network` names them. */
export const ApprovalSubject = z.enum(["command", "code", "deps", "network", "files", "plan", "diff"]);
export type ApprovalSubject = z.infer<typeof ApprovalSubject>;

/** A question that waits, for days if need be, with everything a person needs to answer it. */
export const ApprovalRequest = z.lazy(() =>
  z.object({
    id: z.string(),
    subject: ApprovalSubject,
    /** One line: what is to be done. */
    question: z.string(),
    /** Why it asks: the rule, the reason, what the answer allows. */
    detail: z.string(),
    todo: z.string().optional(),
  }),
);
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

export const ApprovalAnswer = z.lazy(() =>
  z.object({
    granted: z.boolean(),
    /** A person's name, `policy: --approve deps`, or `nobody there`. */
    by: z.string(),
    at: z.int(),
    reason: z.string(),
  }),
);
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;
