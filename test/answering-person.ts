import type { ApprovalRequest } from "../src/domain/approval.ts";

/** Answers every question alike, and keeps what was asked. */
export function answeringPerson(granted: boolean, reason = "") {
  const asked: ApprovalRequest[] = [];
  const ask = async (request: ApprovalRequest) => {
    asked.push(request);
    return { granted, by: "a person", reason };
  };
  return { asked, ask };
}
