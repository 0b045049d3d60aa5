import { expect, test } from "vitest";
import { z } from "zod";
import { JournalBuilder } from "../../test/journal-builder.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { ApprovalBook, listApprovals } from "./approvals.ts";
import type { TaskClaim } from "./claim.ts";
import { Journal } from "./journal.ts";
import { Loans } from "./loans.ts";
import type { Strand } from "./strand.ts";

const STRAND = "todo:parser";

async function open() {
  const builder = new JournalBuilder(temporaryDirectory());
  const store = await builder.store();
  await builder.create(store);
  const owner = await builder.resume(store);
  const claim: TaskClaim | undefined = owner.claim;
  if (!claim) throw new Error("a resumed task is claimed");
  const loans = new Loans(store);
  const loan = { claim, strand: STRAND };
  const takeUp = async () => {
    const lent = await loans.takeUp(owner.task, STRAND);
    if (!lent) throw new Error("nothing is offered");
    return lent;
  };
  const guestOf = async (lent: Awaited<ReturnType<typeof takeUp>>) =>
    Journal.lent(store, lent.claim, builder.parts, loans.fence(lent));
  return { builder, store, owner, loans, loan, takeUp, guestOf };
}

const say = (text: string) => (strand: Strand) =>
  strand.step({ kind: "tool", name: text, input: null, output: z.string() }, async () => text);

test("what is offered is lent once, and what the guest records the owner recalls", async () => {
  const { owner, loans, loan, takeUp, guestOf } = await open();
  expect(await loans.takeUp(owner.task, STRAND)).toBeNull();
  await loans.offer(loan, "begin here");
  const lent = await takeUp();
  expect(lent.beginning).toBe("begin here");
  expect(await loans.takeUp(owner.task, STRAND)).toBeNull();
  expect(await loans.takeBack(loan, "offered")).toBe(false);
  const guest = await guestOf(lent);
  await guest.run(STRAND, say("by the guest"));
  await guest.run(`${STRAND}/try:2`, say("once more"));
  await loans.end(lent);
  expect(await loans.look(loan)).toMatchObject({ state: "ended" });
  const recalled = await owner.run(STRAND, (strand) =>
    strand.step({ kind: "tool", name: "by the guest", input: null, output: z.string() }, async () => "by the owner"),
  );
  expect(recalled).toBe("by the guest");
});

test("a guest writes on the strands of its todo alone, and nothing after it was taken back", async () => {
  const { builder, store, loans, loan, takeUp, guestOf } = await open();
  await loans.offer(loan, "");
  const lent = await takeUp();
  const guest = await guestOf(lent);
  for (const other of ["task", "todo:parser-2", "todo"]) {
    await expect(guest.run(other, say("x")), other).rejects.toThrow("is not a strand of the lent todo:parser");
  }
  expect(await loans.beat(lent)).toEqual({ isCalled: false });
  await loans.call(loan);
  expect(await loans.beat(lent)).toEqual({ isCalled: true });
  expect(await loans.takeBack(loan, "any")).toBe(true);
  await expect(guest.run(STRAND, say("late"))).rejects.toThrow("was taken back by its owner");
  const book = new ApprovalBook({ store, claim: lent.claim, fence: guest.fence, ...builder.parts });
  const asked = { id: "a1", subject: "command", question: "run `x`", detail: "" } as const;
  await expect(book.open(asked)).rejects.toThrow("was taken back by its owner");
  expect(await listApprovals(store, { answered: false })).toEqual([]);
  expect(await loans.beat(lent)).toBeNull();
  await loans.end(lent);
  expect(await loans.look(loan)).toMatchObject({ state: "back" });
});

test("a loan is void once somebody else has the task", async () => {
  const { builder, store, loans, loan, takeUp, guestOf } = await open();
  await loans.offer(loan, "");
  const lent = await takeUp();
  const guest = await guestOf(lent);
  expect(await loans.beat(lent)).toEqual({ isCalled: false });
  const next = await builder.resume(store);
  expect(await loans.beat(lent), "it need not end its step to learn of it").toBeNull();
  await expect(guest.run(STRAND, say("late"))).rejects.toThrow("was taken over by another process");
  expect(await loans.takeUp(next.task, STRAND)).toBeNull();
});

test("under one claim a todo is lent once: a guest of then may only be asleep", async () => {
  const { builder, store, owner, loans, loan, takeUp } = await open();
  expect(await loans.offer(loan, "")).toBe(true);
  await takeUp();
  expect(await loans.takeBack(loan, "any")).toBe(true);
  expect(await loans.offer(loan, "")).toBe(false);
  expect(await loans.takeUp(owner.task, STRAND)).toBeNull();
  const { claim } = await builder.resume(store);
  if (!claim) throw new Error("a resumed task is claimed");
  expect(await loans.offer({ claim, strand: STRAND }, "")).toBe(true);
});
