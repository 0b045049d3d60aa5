import { expect, test } from "vitest";
import { approvalId } from "./approve.ts";

test("a question has one id at one place, and another text or place gives another", () => {
  const asked = { subject: "deps", question: "run `x`", detail: "because" } as const;
  const id = approvalId("t1", "task/a/1", asked);
  expect(approvalId("t1", "task/a/1", { ...asked })).toBe(id);
  const others = [
    approvalId("t2", "task/a/1", asked),
    approvalId("t1", "task/a/2", asked),
    approvalId("t1", "task/a/1", { ...asked, question: "run `y`" }),
    approvalId("t1", "task/a/1", { ...asked, detail: "why not" }),
    approvalId("t1", "task/a/1", { ...asked, subject: "network" }),
  ];
  expect(new Set([id, ...others]).size).toBe(6);
});
