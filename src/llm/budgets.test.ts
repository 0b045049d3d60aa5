import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTestStore, TEST_TASK } from "../../test/open-test-model.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import type { Store } from "../store/store.ts";
import { openLedger } from "./ledger.ts";
import type { Ledger } from "./model.ts";
import { joinTeam, listBudgets, removeBudget, setBudget } from "./month-budgets.ts";

const NOVEMBER = Date.UTC(2026, 10, 18);
const DECEMBER = Date.UTC(2026, 11, 1);

/** Two processes on one database. */
async function twoStores(): Promise<[Store, Store]> {
  const file = join(temporaryDirectory(), "test.db");
  const stores: [Store, Store] = [await openTestStore(file), await openTestStore(file)];
  onTestFinished(async () => {
    for (const store of stores) await store[Symbol.asyncDispose]();
  });
  return stores;
}

async function taskOf(store: Store, id: string, person: string, now = () => NOVEMBER): Promise<Ledger> {
  await store.write((tx) =>
    tx
      .insertInto("tasks")
      .values({ ...TASK, id, person })
      .execute(),
  );
  return openLedger(store, { task: id, epoch: 0, limits: { maxCostMicros: null, maxTokens: null }, now });
}

const TASK = {
  ...{ description: "", directory: "/", status: "running", phase: "init", frozen_hash: "" },
  ...{ created_at: 0, updated_at: 0 },
};

const cost = (costMicros: number) => ({ costMicros, tokens: 1 });

test("tasks of one person share a month's budget, on all connections, and what is given back can be spent", async () => {
  const [here, there] = await twoStores();
  await setBudget(here, "person:anna", 100, NOVEMBER);
  const ledgers = [await taskOf(here, "t1", "anna"), await taskOf(there, "t2", "anna")];
  const tries = await Promise.allSettled(
    ledgers.flatMap((ledger) => [1, 2, 3].map(() => ledger.reserve(cost(30), "a"))),
  );
  const reserved = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const refused = tries.flatMap((one) => (one.status === "rejected" ? [String(one.reason.message)] : []));
  expect([reserved.length, refused.length]).toEqual([3, 3]);
  expect(refused[0]).toContain("$0.000010 of the $0.000100 of person:anna is left in 2026-11; `miracle budget`");
  await reserved[0]?.settle(cost(5));
  expect(await listBudgets(there, NOVEMBER)).toEqual([{ holder: "person:anna", limitMicros: 100, spentMicros: 65 }]);
  await ledgers[1]?.reserve(cost(35), "b");
  // A refused reservation leaves nothing behind.
  const spent = [await ledgers[0]?.spent(), await ledgers[1]?.spent()];
  expect(spent.reduce((sum, one) => sum + (one?.costMicros ?? 0), 0)).toBe(100);
});

test("the team's budget and everybody's hold beside a person's; another month begins anew", async () => {
  const [store] = await twoStores();
  await joinTeam(store, "anna", "shop");
  await joinTeam(store, "bert", "shop");
  await setBudget(store, "team:shop", 100, NOVEMBER);
  await setBudget(store, "all", 120, NOVEMBER);
  let now = NOVEMBER;
  const anna = await taskOf(store, "t1", "anna", () => now);
  const bert = await taskOf(store, "t2", "bert", () => now);
  const carl = await taskOf(store, "t3", "carl", () => now);
  await anna.reserve(cost(60), "a");
  await expect(bert.reserve(cost(41), "a")).rejects.toThrow("of team:shop is left");
  await bert.reserve(cost(40), "a");
  await carl.reserve(cost(20), "a");
  await expect(carl.reserve(cost(1), "a")).rejects.toThrow("of all is left");
  expect(await listBudgets(store, NOVEMBER)).toEqual([
    { holder: "all", limitMicros: 120, spentMicros: 120 },
    { holder: "person:anna", limitMicros: null, spentMicros: 60 },
    { holder: "person:bert", limitMicros: null, spentMicros: 40 },
    { holder: "person:carl", limitMicros: null, spentMicros: 20 },
    { holder: "team:shop", limitMicros: 100, spentMicros: 100 },
  ]);
  now = DECEMBER;
  await anna.reserve(cost(100), "b");
  now = NOVEMBER;
  await joinTeam(store, "bert", null);
  await removeBudget(store, "all");
  await bert.reserve(cost(1000), "c");
});

test("a budget that is set in the middle of a month counts what was spent in it before", async () => {
  const [store] = await twoStores();
  const anna = await taskOf(store, "t1", "anna");
  await anna.reserve(cost(70), "a");
  await setBudget(store, "person:anna", 100, NOVEMBER);
  await expect(anna.reserve(cost(31), "a")).rejects.toThrow("of person:anna is left");
  await setBudget(store, "person:anna", 200, NOVEMBER);
  await anna.reserve(cost(130), "a");
  await expect(anna.reserve(cost(1), "a")).rejects.toMatchObject({ failure: { kind: "budget", code: "budget.month" } });
});

test("what has no price cannot be spent from a budget, and without one it can", async () => {
  const [store] = await twoStores();
  const anna = await taskOf(store, "t1", "anna");
  await anna.reserve(cost(0), "a", "local/unknown");
  await setBudget(store, "all", 100, NOVEMBER);
  await expect(anna.reserve(cost(0), "b", "local/unknown")).rejects.toThrow("local/unknown has no price");
});

test.each(["anna", "person:", "team:a b", "everybody"])("%s holds no budget", async (holder) => {
  const [store] = await twoStores();
  await expect(setBudget(store, holder, 1, NOVEMBER)).rejects.toThrow("expected person:NAME");
});

test("a task of nobody has no person's budget", async () => {
  const [store] = await twoStores();
  await setBudget(store, "person:anna", 0, NOVEMBER);
  const ledger = openLedger(store, {
    ...{ task: TEST_TASK, epoch: 0, now: () => NOVEMBER },
    limits: { maxCostMicros: null, maxTokens: null },
  });
  await ledger.reserve(cost(5), "a");
});
