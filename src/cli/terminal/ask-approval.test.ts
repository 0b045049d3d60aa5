import { userInfo } from "node:os";
import { expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import type { ApprovalRequest } from "../../domain/approval.ts";
import { askApproval, readAnswer } from "./ask-approval.ts";

const request: ApprovalRequest = {
  id: "a1",
  subject: "deps",
  question: "run `pip install \u001b[2Jx`",
  detail: "`x`: not on the list\nInstead: do without",
};
const { signal } = new AbortController();

test.each([
  ["y", { granted: true, reason: "" }],
  ["YES\n", { granted: true, reason: "" }],
  ["yes, we use it elsewhere", { granted: true, reason: "we use it elsewhere" }],
  ["n", { granted: false, reason: "" }],
  ["no: too risky", { granted: false, reason: "too risky" }],
  ["", { granted: false, reason: "" }],
  ["maybe", { granted: false, reason: "maybe" }],
  ["yesterday it was fine", { granted: false, reason: "yesterday it was fine" }],
  ["nobody knows", { granted: false, reason: "nobody knows" }],
])("%j is read as only a plain yes or no can be", (text, answer) => {
  expect(readAnswer(text)).toEqual(answer);
});

test("the question is shown with its detail, and nothing in it can move the cursor", async () => {
  const terminal = fakeTerminal({ input: "y it is ours\n", inputIsTerminal: true, errorIsTerminal: true });
  const answer = await askApproval(terminal, request, signal);
  expect(answer).toEqual({ granted: true, reason: "it is ours", by: userInfo().username });
  expect(terminal.errors()).toContain(
    "Asks (deps, a1): run `pip install [2Jx`\n`x`: not on the list\nInstead: do without",
  );
  expect(terminal.errors()).not.toContain("\u001b");
  expect(terminal.outputs()).toBe("");
});

test("the end of the input is a no", async () => {
  expect(await askApproval(fakeTerminal(), request, signal)).toMatchObject({ granted: false });
});
