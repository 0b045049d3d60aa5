import type { ApprovalAnswer, ApprovalSubject } from "./approval.ts";

/** Who does not answer a question in words takes what it says of no answer, and refuses nothing. */
export function howAnswered(
  subject: ApprovalSubject,
  { granted, reason }: Pick<ApprovalAnswer, "granted" | "reason">,
): "allowed" | "not allowed" | "answered" | "default taken" {
  if (subject === "question") return granted && reason.trim() !== "" ? "answered" : "default taken";
  return granted ? "allowed" : "not allowed";
}
