import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ScriptedAnswer,
  type ScriptedFault,
  type ServedRequest,
  startModelServer,
} from "../../test/model-server.ts";
import { openTestStore, TEST_TASK, testRequest, testSettings } from "../../test/open-test-model.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { TerminalFailure } from "../domain/failure.ts";
import { openLedger } from "./ledger.ts";
import type { Ledger } from "./model.ts";
import { openModel } from "./open-model.ts";
import { amountOf } from "./prices.ts";

/** What the provider does with a request. It bills whatever it may have computed, told or untold. */
type Behaviour = {
  kind: "answer" | "silent-bill" | "refuse" | "gateway" | "reset" | "cut" | "hang" | "malformed";
  use: number;
};

interface Call {
  promptBytes: number;
  maxOutputTokens: number;
  crash: "none" | "after-reserve" | "before-settle" | "cancel";
}

class Crash extends Error {}

const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  kind: fc.constantFrom(
    "answer",
    "answer",
    "answer",
    "silent-bill",
    "refuse",
    "gateway",
    "reset",
    "cut",
    "hang",
    "malformed",
  ),
  use: fc.oneof({ weight: 2, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
});
const call: fc.Arbitrary<Call> = fc.record({
  promptBytes: fc.nat(5_000),
  maxOutputTokens: fc.integer({ min: 1, max: 4_000 }),
  crash: fc.constantFrom("none", "none", "none", "after-reserve", "before-settle", "cancel"),
});
const dollars = fc.double({ min: 0, max: 80, noNaN: true });

test("what a provider bills never exceeds the limit, whatever fails, crashes or runs at once", async () => {
  const directory = temporaryDirectory("miracle-budget-");
  let run = 0;
  const property = fc.asyncProperty(
    fc.record({ input: dollars, cachedInput: dollars, output: dollars }),
    fc.integer({ min: 0, max: 1_000_000 }),
    fc.array(behaviour, { minLength: 1, maxLength: 12 }),
    // Each list runs at once; between two lists the process starts anew.
    fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
    async (price, maxCostMicros, behaviours, processes) => {
      let billed = 0;
      await using server = await startModelServer((request, index) => {
        const { kind, use } = behaviours[index % behaviours.length] ?? { kind: "answer", use: 1 };
        const { answer, usage } = behave(kind, use, request);
        if (kind !== "refuse") billed += amountOf(usage, price).costMicros;
        return answer;
      });
      const file = join(directory, `${run++}.db`);
      const settings = testSettings({
        providers: { local: { baseUrl: server.baseUrl } },
        models: ["local/first", "local/second"],
        prices: { "local/*": price },
        limits: { maxCostMicros },
        retry: { attempts: 2, requestTimeoutMs: 20 },
      });
      for (const calls of processes) {
        await using store = await openTestStore(file);
        const ledger = openLedger(store, { task: TEST_TASK, epoch: 0, limits: settings.limits, now: () => 0 });
        await Promise.all(calls.map((one) => makeCall(one, ledger, settings)));
        const spent = (await ledger.spent()).costMicros;
        expect(billed).toBeLessThanOrEqual(spent);
        expect(spent).toBeLessThanOrEqual(maxCostMicros);
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

async function makeCall(
  one: Call,
  ledger: Ledger,
  settings: Parameters<typeof openModel>[0]["settings"],
): Promise<void> {
  const cancel = new AbortController();
  const model = openModel({
    settings,
    ledger: crashing(ledger, one.crash, cancel),
    keys: () => undefined,
    clock: { now: () => 0, sleep: async (_, signal) => signal.throwIfAborted() },
    random: () => 0.5,
    environment: {},
  });
  const request = {
    ...testRequest(),
    messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "x".repeat(one.promptBytes) }] }],
    parameters: { maxOutputTokens: one.maxOutputTokens },
  };
  try {
    await model.complete(request, { path: "p", signal: cancel.signal });
  } catch (error) {
    if (!(error instanceof TerminalFailure || error instanceof Crash)) throw error;
  }
}

/** The process ends at a moment of the ledger's: what was committed stays, what comes after never happens. */
function crashing(ledger: Ledger, crash: Call["crash"], cancel: AbortController): Ledger {
  return {
    spent: () => ledger.spent(),
    reserve: async (worst, path) => {
      const reservation = await ledger.reserve(worst, path);
      if (crash === "after-reserve") throw new Crash();
      if (crash === "cancel") setTimeout(() => cancel.abort(new Crash()), 2);
      return crash === "before-settle" ? { settle: () => Promise.reject(new Crash()) } : reservation;
    },
  };
}

/** Within the provider's word: no more tokens than bytes, no more output than allowed. */
function behave(
  kind: Behaviour["kind"],
  use: number,
  request: ServedRequest,
): {
  answer: ScriptedAnswer | ScriptedFault;
  usage: Parameters<typeof amountOf>[0];
} {
  const input = Math.floor(request.bytes * use);
  const output = Math.floor((request.maxOutputTokens ?? 0) * use);
  const cached = use === 1 ? 0 : Math.floor(input * (1 - use));
  const usage = { inputTokens: input, outputTokens: output, cachedInputTokens: cached, cacheWriteTokens: 0 };
  switch (kind) {
    case "answer":
      return { usage, answer: { text: "ok", usage: { input, output, cached } } };
    case "silent-bill":
      return { usage, answer: { text: "ok", usage: null } };
    case "refuse":
      return { usage, answer: { fault: "status", status: use < 0.5 ? 429 : 503 } };
    case "gateway":
      return { usage, answer: { fault: "status", status: 504 } };
    default:
      return { usage, answer: { fault: kind } };
  }
}
