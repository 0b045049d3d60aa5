import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { JournalBuilder } from "../../test/journal-builder.ts";
import type { ApprovalRequest } from "../domain/approval.ts";
import type { Store } from "../store/store.ts";
import { ApprovalBook, answerApproval, findApproval, listApprovals } from "./approvals.ts";
import type { Journal } from "./journal.ts";
import { redactor } from "./redact.ts";

let directory: string;
let builder: JournalBuilder;
let store: Store;
let journal: Journal;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "approvals-"));
  builder = new JournalBuilder(directory);
  store = await builder.store();
  journal = await builder.create(store);
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

function bookOf({ claim }: Journal): ApprovalBook {
  if (!claim) throw new Error("not claimed");
  const { bus } = builder.parts;
  return new ApprovalBook({ store, claim, bus, redact: redactor(["hunter2-hunter2"]), clock: () => 5 });
}

const request: ApprovalRequest = { id: "a11", subject: "deps", question: "run `x`", detail: "because" };
const yes = { granted: true, by: "ada", at: 7, reason: "fine" };
const no = { granted: false, by: "bob", at: 8, reason: "not fine" };

test("a question is written down once, and its answer is found again", async () => {
  const book = bookOf(journal);
  expect(await book.open(request)).toBeNull();
  expect(await book.open(request)).toBeNull();
  expect(await listApprovals(store, { answered: false })).toEqual([
    { task: journal.task, request, createdAt: 5, answer: null },
  ]);
  expect(await book.answer("a11", yes)).toEqual(yes);
  expect(await book.open(request)).toEqual(yes);
  expect(await listApprovals(store, { answered: false })).toEqual([]);
  expect(builder.events.map(({ type, number }) => [type, number])).toEqual([
    ["approval-requested", 1],
    ["approval-answered", 2],
  ]);
});

test("of two answers the first counts, wherever they come from", async () => {
  const book = bookOf(journal);
  await book.open(request);
  const [one, other] = await Promise.all([answerApproval(store, "a11", no), book.answer("a11", yes)]);
  expect([one.counts, other]).toEqual([no, no]);
  expect(await answerApproval(store, "a11", yes)).toEqual({ event: null, counts: no });
  expect((await findApproval(store, "a1")).answer).toEqual(no);
});

test("a process that was taken over writes no more questions", async () => {
  const book = bookOf(journal);
  await builder.resume(store);
  await expect(book.open(request)).rejects.toMatchObject({ failure: { code: "journal.fenced" } });
  expect(await listApprovals(store, { answered: true })).toEqual([]);
});

test("neither question nor answer keeps a secret", async () => {
  const book = bookOf(journal);
  await book.open({ ...request, question: "run `login hunter2-hunter2`", covers: ["command login hunter2-hunter2"] });
  await book.answer("a11", { ...yes, reason: "hunter2-hunter2 is old" });
  const kept = JSON.stringify([await listApprovals(store, { answered: true }), builder.events]);
  expect(kept).toContain("[redacted] is old");
  expect(kept).not.toContain("hunter2");
});

test("an id that is not there, or stands for several, is said", async () => {
  const book = bookOf(journal);
  await book.open(request);
  await book.open({ ...request, id: "a12" });
  await expect(findApproval(store, "a1")).rejects.toMatchObject({ failure: { code: "approval.ambiguous" } });
  await expect(findApproval(store, "b")).rejects.toMatchObject({ failure: { code: "approval.unknown" } });
  await expect(answerApproval(store, "b", yes)).rejects.toMatchObject({ failure: { code: "approval.unknown" } });
});
