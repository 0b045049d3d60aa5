import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestStore, TEST_TASK } from "../../test/open-test-model.ts";
import { failureOf, serveModel } from "../../test/serve-model.ts";
import { openLedger } from "./ledger.ts";
import type { Ledger } from "./model.ts";

let directory = "";
let files = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "miracle-ledger-"));
});
afterAll(() => rm(directory, { recursive: true }));

const newFile = () => join(directory, `${files++}.db`);
const limitsOf = (maxCostMicros: number | null, maxTokens: number | null) => ({ maxCostMicros, maxTokens });

async function withLedger(
  limits: { maxCostMicros: number | null; maxTokens: number | null },
  work: (ledger: Ledger) => Promise<void>,
  { file = newFile(), epoch = 0 } = {},
): Promise<void> {
  await using store = await openTestStore(file);
  await work(openLedger(store, { task: TEST_TASK, epoch, limits, now: () => 0 }));
}

test("what is reserved is spent until it is settled, and then the difference is back", () =>
  withLedger(limitsOf(100, 1000), async (ledger) => {
    const reservation = await ledger.reserve({ costMicros: 60, tokens: 500 }, "a");
    expect(await ledger.spent()).toEqual({ costMicros: 60, tokens: 500 });
    await reservation.settle({ costMicros: 10, tokens: 40 });
    await reservation.settle({ costMicros: 0, tokens: 0 });
    expect(await ledger.spent()).toEqual({ costMicros: 10, tokens: 40 });
    await ledger.reserve({ costMicros: 90, tokens: 960 }, "b");
    expect(await ledger.spent()).toEqual({ costMicros: 100, tokens: 1000 });
  }));

test("a worst case that does not fit is refused and changes nothing", () =>
  withLedger(limitsOf(1_000_000, 1000), async (ledger) => {
    await ledger.reserve({ costMicros: 400_000, tokens: 600 }, "a");
    const cost = await failureOf(ledger.reserve({ costMicros: 600_001, tokens: 1 }, "b"));
    expect(cost).toMatchObject({ kind: "budget", code: "budget.cost" });
    expect(cost.message).toContain("up to $0.6000, and $0.6000 of $1.0000 is left; raise --max-cost");
    const tokens = await failureOf(ledger.reserve({ costMicros: 1, tokens: 401 }, "b"));
    expect(tokens).toMatchObject({ kind: "budget", code: "budget.tokens" });
    expect(tokens.message).toContain("400 of 1000 are left");
    expect(await ledger.spent()).toEqual({ costMicros: 400_000, tokens: 600 });
  }));

test("what a fence refuses is not reserved", async () => {
  await using store = await openTestStore(newFile());
  const fence = async () => {
    throw new Error("taken back");
  };
  const ledger = openLedger(store, { task: TEST_TASK, epoch: 0, fence, limits: limitsOf(null, null), now: () => 0 });
  await expect(ledger.reserve({ costMicros: 1, tokens: 1 }, "a")).rejects.toThrow("taken back");
  expect(await ledger.spent()).toEqual({ costMicros: 0, tokens: 0 });
});

test("without limits everything fits and is counted", () =>
  withLedger(limitsOf(null, null), async (ledger) => {
    await ledger.reserve({ costMicros: 1e12, tokens: 1e9 }, "a");
    expect(await ledger.spent()).toEqual({ costMicros: 1e12, tokens: 1e9 });
  }));

test("of many reservations at once, on two connections, only as many succeed as fit", async () => {
  const file = newFile();
  const limits = limitsOf(100, null);
  await withLedger(
    limits,
    (first) =>
      withLedger(
        limits,
        async (second) => {
          const tries = Array.from({ length: 30 }, (_, n) =>
            (n % 2 ? first : second).reserve({ costMicros: 9, tokens: 0 }, `${n}`).then(
              () => true,
              () => false,
            ),
          );
          expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(11);
          expect((await second.spent()).costMicros).toBe(99);
        },
        { file },
      ),
    { file },
  );
});

test("a reservation that was never settled stays spent when the task is opened again", async () => {
  const file = newFile();
  await withLedger(
    limitsOf(100, null),
    async (ledger) => void (await ledger.reserve({ costMicros: 70, tokens: 1 }, "a")),
    { file },
  );
  await withLedger(
    limitsOf(100, null),
    async (ledger) => {
      expect((await ledger.spent()).costMicros).toBe(70);
      expect(await failureOf(ledger.reserve({ costMicros: 40, tokens: 1 }, "a"))).toMatchObject({
        code: "budget.cost",
      });
    },
    { file },
  );
});

test("a process whose claim is old may not spend", () =>
  withLedger(
    limitsOf(null, null),
    async (ledger) => {
      expect(await failureOf(ledger.reserve({ costMicros: 1, tokens: 1 }, "a"))).toMatchObject({
        code: "task.superseded",
      });
    },
    { epoch: 7 },
  ));

const price = { "local/*": { input: 1, output: 1 } };

test("a model without a price is refused when there is a limit in money, also as a fallback", async () => {
  await using model = await serveModel(() => ({ text: "hi" }), {
    models: ["local/first", "local/other"],
    prices: { "local/first": { input: 1, output: 1 } },
    limits: { maxCostMicros: 1_000_000 },
  });
  expect(await failureOf(model.ask())).toMatchObject({ kind: "budget", code: "budget.no-price" });
  expect(model.server.requests).toHaveLength(0);
});

test("a call that may cost too much is never sent", async () => {
  await using model = await serveModel(() => ({ text: "hi" }), { prices: price, limits: { maxCostMicros: 200 } });
  expect(await failureOf(model.ask())).toMatchObject({ code: "budget.cost" });
  expect(model.server.requests).toHaveLength(0);
});

test("a server that sends no bill costs the worst case", async () => {
  await using model = await serveModel(() => ({ text: "hi", usage: null }), { prices: price });
  const { usage } = await model.ask();
  const spent = await model.ledger.spent();
  expect(spent.costMicros).toBeGreaterThan(100 + (model.server.requests[0]?.bytes ?? 0));
  expect(usage).toMatchObject({ outputTokens: 100, costMicros: spent.costMicros });
});

test("a bill over the worst case is recorded as it is, and said", async () => {
  await using model = await serveModel(() => ({ text: "hi", usage: { input: 10, output: 1_000_000 } }), {
    prices: price,
  });
  await model.ask();
  expect(await model.ledger.spent()).toEqual({ costMicros: 1_000_010, tokens: 1_000_010 });
  expect(model.notices.join()).toContain("billed more than the request allowed");
});

test("a bill that is no number of tokens is no bill", async () => {
  await using model = await serveModel(() => ({ text: "hi", usage: { input: -50, output: 1 } }), { prices: price });
  expect((await model.ask()).usage.inputTokens).toBeGreaterThan(0);
  expect((await model.ledger.spent()).costMicros).toBeGreaterThan(100);
});
