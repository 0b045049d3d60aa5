import { z } from "zod";

/**
 * What a person can be asked to allow. `--approve deps,network` names them. A question is answered in words. `outside`: a
 * file of this machine that is not part of the workspace is read.
 */
export const ApprovalSubject = z.enum([
  "command",
  "code",
  "deps",
  "network",
  "files",
  "outside",
  "plan",
  "diff",
  "question",
]);
export type ApprovalSubject = z.infer<typeof ApprovalSubject>;

const asked = () => ({
  subject: ApprovalSubject,
  /** One line: what is to be done. */
  question: z.string(),
  /** Why it asks: the rule, the reason, what the answer allows. */
  detail: z.string(),
  todo: z.string().optional(),
  /** What the answer holds for, here and when the same is wanted again: hashes of a command line, of findings. */
  covers: z.array(z.string()).optional(),
  /** The file outside of the workspace that commands see, too, once it is allowed. */
  place: z.string().optional(),
});

/** A question before it is put: its id comes from the place where it is asked. */
export const Asked = z.lazy(() => z.object(asked()));
export type Asked = z.infer<typeof Asked>;

/** A question that waits, for days if need be, with everything a person needs to answer it. */
export const ApprovalRequest = z.lazy(() => z.object({ id: z.string(), ...asked() }));
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

/** What the journal holds of a question: the answer, and what was asked, word by word. Evidence is made from it. */
export const RecordedAnswer = z.lazy(() => ApprovalAnswer.unwrap().extend({ request: ApprovalRequest }));

/** A question as it is kept, with its answer once there is one. */
export interface Approval {
  task: string;
  request: ApprovalRequest;
  createdAt: number;
  answer: ApprovalAnswer | null;
}
