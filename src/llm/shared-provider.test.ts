import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTestStore } from "../../test/open-test-model.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { SharedProvider } from "./shared-provider.ts";

const signal = new AbortController().signal;

/** So many processes that share a provider, with a clock that goes on only by sleeping. */
async function sharing(count: number, longestMs = 60_000) {
  const file = join(temporaryDirectory(), "test.db");
  const clock = { now: 1_000_000 };
  const notices: string[] = [];
  const providers: SharedProvider[] = [];
  for (let index = 0; index < count; index += 1) {
    const store = await openTestStore(file);
    onTestFinished(() => store[Symbol.asyncDispose]());
    const sleep = async (ms: number) => {
      clock.now += ms;
      await new Promise((resolve) => setImmediate(resolve));
    };
    providers.push(new SharedProvider({ store, now: () => clock.now, sleep, random: () => 0.5 }, "local (here)"));
  }
  const enter = (index: number, atOnce?: number) => {
    const [provider] = providers.slice(index);
    if (!provider) throw new Error("there are not so many");
    return provider.enter({ atOnce, longestMs, signal, onNotice: (line) => notices.push(line) });
  };
  return { providers, enter, clock, notices };
}

test("a pause that one process was asked for is kept by all, and by each of them to another moment", async () => {
  const { providers, enter, clock, notices } = await sharing(2);
  const asked = clock.now;
  await providers[0]?.pause(20_000);
  await providers[0]?.pause(5_000);
  await enter(1);
  expect(clock.now - asked).toBe(20_500);
  expect(notices).toEqual(["local (here) asked for a pause: the next request leaves in 21 s"]);
});

test("no more requests are under way at once than a provider bears, whatever process sends them", async () => {
  let under = 0;
  let most = 0;
  const { enter } = await sharing(4, 1e9);
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      await using _slot = await enter(index % 4, 3);
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
    }),
  );
  expect(most).toBeLessThanOrEqual(3);
  expect(under).toBe(0);
});

test("a slot whose process died is free again after a time, and its late end frees nobody else's", async () => {
  const { enter, clock, notices } = await sharing(2);
  const dead = await enter(0, 1);
  const began = clock.now;
  const next = await enter(1, 1);
  expect(clock.now - began).toBeGreaterThanOrEqual(60_000);
  expect(notices).toEqual(["local (here) has 1 requests under way: this one waits for a free slot"]);
  await dead[Symbol.asyncDispose]();
  const waited = clock.now;
  await enter(0, 1);
  expect(clock.now - waited, "the slot was the other one's").toBeGreaterThan(0);
  await next[Symbol.asyncDispose]();
});

test("who is stopped does not wait on", async () => {
  const { providers } = await sharing(1);
  await providers[0]?.pause(60_000);
  const stopped = { atOnce: undefined, longestMs: 1, signal: AbortSignal.abort(new Error("stopped")) };
  await expect(providers[0]?.enter(stopped)).rejects.toThrow("stopped");
});
