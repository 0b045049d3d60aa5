import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { JournalBuilder, testFrozen, testSettings } from "../../../test/journal-builder.ts";
import type { Store } from "../../store/store.ts";
import { approvalId } from "./approve.ts";
import { confirmed } from "./confirm.ts";

let directory: string;
let builder: JournalBuilder;
let store: Store;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "approve-"));
  builder = new JournalBuilder(directory);
  store = await builder.store();
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

test("a confirmation that was recorded as a bare yes or no is still read", async () => {
  const frozen = testFrozen({ settings: { ...testSettings, confirm: ["plan", "diff"] } });
  const journal = await builder.create(store, "t00000001", frozen);
  await journal.run("task", async (strand) => {
    await strand.step({ kind: "decision", name: "confirm-plan", input: 1, output: z.boolean() }, async () => true);
    await strand.step({ kind: "decision", name: "confirm-diff", input: 2, output: z.boolean() }, async () => false);
  });
  const resumed = await builder.resume(store);
  const { signal } = new AbortController();
  const nobody = async (): Promise<never> => {
    throw new Error("a recorded answer is not asked for again");
  };
  const book = { open: nobody, answer: nobody, answerTo: nobody };
  const parts = {
    journal: resumed,
    signal,
    clock: () => 0,
    approvals: { book, policy: { allowed: {}, unanswered: "deny" as const } },
  };
  await resumed.run("task", async (strand) => {
    expect(await confirmed(strand, parts, "plan", 1, nobody)).toBe(true);
    expect(await confirmed(strand, parts, "diff", 2, nobody)).toBe(false);
  });
});

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
