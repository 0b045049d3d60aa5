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
const refuse = () => Promise.reject(new Error("nothing is to be kept or heard"));
const never = { keep: refuse, hear: refuse };

test.each([
  ["y", { granted: true, reason: "", always: false, words: "" }],
  ["YES\n", { granted: true, reason: "", always: false, words: "" }],
  ["yes, we use it elsewhere", { granted: true, reason: "we use it elsewhere", always: false, words: "" }],
  ["n", { granted: false, reason: "", always: false, words: "" }],
  ["no: too risky", { granted: false, reason: "too risky", always: false, words: "" }],
  ["", { granted: false, reason: "", always: false, words: "" }],
  ["maybe", { granted: false, reason: "maybe", always: false, words: "maybe" }],
  [
    "yesterday it was fine",
    { granted: false, reason: "yesterday it was fine", always: false, words: "yesterday it was fine" },
  ],
  ["nobody knows", { granted: false, reason: "nobody knows", always: false, words: "nobody knows" }],
  ["always, it is ours", { granted: true, reason: "it is ours", always: true, words: "" }],
  ["alwaysnot", { granted: false, reason: "alwaysnot", always: false, words: "alwaysnot" }],
])("%j is read as only a plain yes or no can be", (text, answer) => {
  expect(readAnswer(text)).toEqual(answer);
});

test("the question is shown with its detail, and nothing in it can move the cursor", async () => {
  const terminal = fakeTerminal({ input: "y it is ours\n", inputIsTerminal: true, errorIsTerminal: true });
  const answer = await askApproval(terminal, request, signal, never);
  expect(answer).toEqual({ granted: true, reason: "it is ours", by: userInfo().username });
  expect(terminal.errors()).toContain(
    "Asks (deps, a1): run `pip install [2Jx`\n`x`: not on the list\nInstead: do without",
  );
  expect(terminal.errors()).not.toContain("\u001b");
  expect(terminal.outputs()).toBe("");
});

test("the end of the input is a no", async () => {
  expect(await askApproval(fakeTerminal(), request, signal, never)).toMatchObject({ granted: false });
});

test("always is offered, and kept, only where the same can be wanted again", async () => {
  const answered = async (covers?: string[]) => {
    const terminal = fakeTerminal({ input: "always\n", inputIsTerminal: true, errorIsTerminal: true });
    let kept = 0;
    const keep = async () => {
      kept += 1;
    };
    const { granted } = await askApproval(terminal, { ...request, ...(covers && { covers }) }, signal, {
      ...never,
      keep,
    });
    return { granted, kept, offered: terminal.errors().includes("y/N/always") };
  };
  expect(await answered(["0".repeat(32)])).toEqual({ granted: true, kept: 1, offered: true });
  expect(await answered()).toEqual({ granted: true, kept: 0, offered: false });
});

test.each(["plan", "diff"] as const)("words at a %s are heard: neither a yes nor a no", async (subject) => {
  const answered = async (input: string) => {
    const terminal = fakeTerminal({ input, inputIsTerminal: true, errorIsTerminal: true });
    const heard: string[] = [];
    const hear = async (words: string, about: string) => {
      heard.push(words);
      return about === "plan";
    };
    const { granted, reason } = await askApproval(
      terminal,
      { ...request, subject, question: `go on with this ${subject}` },
      signal,
      { ...never, hear },
    );
    return { granted, reason, heard };
  };
  const words = "use abs() instead";
  expect(await answered(`${words}\n`)).toEqual({ granted: subject === "plan", reason: words, heard: [words] });
  expect(await answered("y\n")).toEqual({ granted: true, reason: "", heard: [] });
  expect(await answered("no: not now\n")).toEqual({ granted: false, reason: "not now", heard: [] });
  expect(await answered("\n")).toEqual({ granted: false, reason: "", heard: [] });
});

test("a plan is shown once, and can be edited until the person goes on with it", async () => {
  const plan: ApprovalRequest = { id: "a1", subject: "plan", question: "go on with this plan", detail: "R1 all of it" };
  const asking = async (input: string, edited: boolean[], isShown = false) => {
    const terminal = fakeTerminal({ input, inputIsTerminal: true, errorIsTerminal: true });
    const edit = async () => edited.shift() ?? false;
    return { answer: await askApproval(terminal, plan, signal, { ...never, edit, isShown }), said: terminal.errors() };
  };
  const { answer, said } = await asking("edit\n", [false]);
  expect(answer, "left as it was, and nothing more was said").toMatchObject({ granted: false, reason: "" });
  expect(said.match(/Work on this plan/g)).toHaveLength(1);
  expect(said).toContain("R1 all of it\n");
  expect(said).toContain("[y/N/edit, or say");
  expect((await asking("e\n", [true])).answer, "the work begins anew").toMatchObject({
    granted: false,
    reason: "edited",
  });
  expect((await asking("y\n", [], true)).said).not.toContain("R1 all of it");
});
