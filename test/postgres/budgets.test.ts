import { describe, expect, onTestFinished, test } from "vitest";
import { openLedger } from "../../src/llm/ledger.ts";
import { joinTeam, listBudgets, removeBudget, setBudget } from "../../src/llm/month-budgets.ts";
import { SharedProvider } from "../../src/llm/shared-provider.ts";
import { Store } from "../../src/store/store.ts";
import { newSchema, problem } from "./shared-server.ts";

const NOW = Date.UTC(2026, 10, 18);

/** So many machines on one database. */
async function machines(count: number): Promise<Store[]> {
  const database = newSchema();
  const stores: Store[] = [];
  for (let index = 0; index < count; index += 1) {
    const store = await Store.open(database.open());
    onTestFinished(() => store[Symbol.asyncDispose]());
    stores.push(store);
  }
  return stores;
}

describe.skipIf(problem !== undefined)(`what a team shares on PostgreSQL${problem ? ` (${problem})` : ""}`, () => {
  test("machines that reserve at once never pass a month's budget", async () => {
    const stores = await machines(3);
    const [first] = stores;
    if (!first) throw new Error("there is none");
    await joinTeam(first, "anna", "shop");
    await setBudget(first, "team:shop", 1000, NOW);
    await setBudget(first, "all", 700, NOW);
    const ledgers = await Promise.all(
      stores.map(async (store, index) => {
        const task = `t0000000${index}`;
        const row = { description: "", directory: "/", status: "running", phase: "init", frozen_hash: "" };
        const values = { ...row, id: task, created_at: 0, updated_at: 0, person: "anna" };
        await store.write((tx) => tx.insertInto("tasks").values(values).execute());
        const limits = { maxCostMicros: null, maxTokens: null };
        return openLedger(store, { task, epoch: 0, limits, now: () => NOW });
      }),
    );
    const tries = await Promise.allSettled(
      ledgers.flatMap((ledger) =>
        Array.from({ length: 8 }, (_, index) => ledger.reserve({ costMicros: 50, tokens: 1 }, `${index}`)),
      ),
    );
    const reserved = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(reserved).toHaveLength(14);
    const spent = async () =>
      (await listBudgets(first, NOW)).map(({ holder, spentMicros }) => `${holder} ${spentMicros}`);
    expect(await spent()).toEqual(["all 700", "person:anna 700", "team:shop 700"]);
    await Promise.all(reserved.map((reservation) => reservation.settle({ costMicros: 10, tokens: 1 })));
    expect(await spent()).toEqual(["all 140", "person:anna 140", "team:shop 140"]);
    await setBudget(first, "person:anna", 145, NOW);
    await expect(ledgers[0]?.reserve({ costMicros: 6, tokens: 1 }, "x")).rejects.toThrow("of person:anna is left");
    expect(await removeBudget(first, "person:anna")).toBe(true);
    expect(await removeBudget(first, "person:anna")).toBe(false);
  });

  test("a provider's slots and pause hold for all machines", async () => {
    const stores = await machines(3);
    let now = NOW;
    const sleep = async (ms: number) => {
      now += ms;
      await new Promise((resolve) => setTimeout(resolve, 1));
    };
    const providers = stores.map((store) => new SharedProvider({ store, now: () => now, sleep, random: () => 0 }, "p"));
    const { signal } = new AbortController();
    let under = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 15 }, async (_, index) => {
        await using _slot = await providers[index % 3]?.enter({ atOnce: 2, longestMs: 1e9, signal });
        under += 1;
        most = Math.max(most, under);
        await new Promise((resolve) => setTimeout(resolve, 2));
        under -= 1;
      }),
    );
    expect(most).toBeLessThanOrEqual(2);
    await providers[0]?.pause(9000);
    await providers[1]?.pause(4000);
    const before = now;
    await providers[2]?.enter({ atOnce: undefined, longestMs: 1, signal });
    expect(now - before).toBe(9000);
  });
});
