import { expect, onTestFinished, test } from "vitest";
import { JournalBuilder } from "../../../test/journal-builder.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { fail } from "../../domain/failure.ts";
import type { Store } from "../../store/store.ts";
import { LocalQueue } from "./local-queue.ts";
import type { Purpose } from "./queue.ts";

async function openStore(): Promise<Store> {
  const store = await new JournalBuilder(temporaryDirectory()).store();
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

/** A queue whose runs end when the test says so. */
function openQueue(store: Store, parallel = 1) {
  const begun: string[] = [];
  const reported: unknown[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const run = (task: string, purpose: Purpose, signal: AbortSignal) => {
    begun.push(`${purpose} ${task}`);
    return new Promise<boolean>((resolve, reject) => {
      ends.set(task, { resolve: () => resolve(true), reject });
      signal.addEventListener("abort", () => resolve(true));
    });
  };
  const queue = new LocalQueue({ store, run, parallel, report: (error) => reported.push(error), lookMs: 10 });
  onTestFinished(() => queue.stop());
  return { queue, begun, reported, end: (task: string) => ends.get(task)?.resolve(), ends };
}

const jobs = async (store: Store) =>
  (await store.read.selectFrom("jobs").select("task_id").orderBy("handed_at").execute()).map((row) => row.task_id);

test("works on so many tasks at once, in the order in which they came", async () => {
  const store = await openStore();
  const { queue, begun, end } = openQueue(store, 2);
  for (const task of ["a", "b", "c"]) await queue.hand(task, "work");
  await expect.poll(() => begun).toEqual(["work a", "work b"]);
  end("a");
  await expect.poll(() => begun).toEqual(["work a", "work b", "work c"]);
  expect(await jobs(store)).toEqual(["b", "c"]);
});

test("what is stopped or never begun is taken up by the next queue, and what has ended is not", async () => {
  const store = await openStore();
  const first = openQueue(store, 2);
  for (const task of ["a", "b", "c"]) await first.queue.hand(task, task === "b" ? "plan" : "work");
  first.end("a");
  await expect.poll(() => first.begun).toHaveLength(3);
  await first.queue.stop();
  const second = openQueue(store, 5);
  await second.queue.recover();
  await expect.poll(() => second.begun).toEqual(["plan b", "work c"]);
});

test("a task that is handed again while it is worked on is worked on once more, afterwards", async () => {
  const store = await openStore();
  const { queue, begun, end } = openQueue(store, 5);
  await queue.hand("a", "plan");
  await queue.hand("a", "work");
  await expect.poll(() => begun).toEqual(["plan a"]);
  end("a");
  await expect.poll(() => begun).toEqual(["plan a", "work a"]);
  expect(await jobs(store), "the second promise outlives the end of the first").toEqual(["a"]);
  end("a");
  await expect.poll(() => jobs(store)).toEqual([]);
});

test("a promise is written before the task is made, and taken back if that fails", async () => {
  const store = await openStore();
  const { queue, begun } = openQueue(store);
  await queue.hand("a", "work", async () => expect(await jobs(store)).toEqual(["a"]));
  const failing = queue.hand("b", "work", () => Promise.reject(new Error("no such model")));
  await expect(failing).rejects.toThrow("no such model");
  expect(await jobs(store)).toEqual(["a"]);
  await expect.poll(() => begun).toEqual(["work a"]);
});

test("what is withdrawn is not begun, not even by the next queue", async () => {
  const store = await openStore();
  const { queue, begun } = openQueue(store);
  for (const task of ["a", "b", "c"]) await queue.hand(task, "work");
  await queue.withdraw("a");
  await queue.withdraw("b");
  expect(await queue.isPromised("b")).toBe(false);
  await expect.poll(() => begun).toEqual(["work a"]);
  await queue.stop();
  const second = openQueue(store, 5);
  await second.queue.recover();
  await expect.poll(() => second.begun).toEqual(["work c"]);
});

test("what could not begin is reported and left to the next start, unless there is nothing left to do", async () => {
  const store = await openStore();
  const { queue, begun, reported, ends } = openQueue(store);
  for (const task of ["a", "b", "c"]) await queue.hand(task, "work");
  const [broken, settled] = [new Error("broken settings"), fail("invalid-input", "task.settled", "it is over")];
  ends.get("a")?.reject(broken);
  await expect.poll(() => begun).toHaveLength(2);
  ends.get("b")?.reject(settled);
  await expect.poll(() => begun).toEqual(["work a", "work b", "work c"]);
  expect(reported).toEqual([broken, settled]);
  expect(await jobs(store)).toEqual(["a", "c"]);
});

test("what one process does not get to, another one does; what it works on is left to it while it lives", async () => {
  const store = await openStore();
  const [first, second] = [openQueue(store), openQueue(store)];
  await first.queue.recover();
  await second.queue.recover();
  for (const task of ["a", "b"]) await first.queue.hand(task, "work");
  await expect.poll(() => first.begun).toEqual(["work a"]);
  const live = fail("invalid-input", "task.live", "another process works on it");
  // As the claim of the first one does it.
  await expect.poll(() => second.begun).toEqual(["work a"]);
  second.ends.get("a")?.reject(live);
  await expect.poll(() => second.begun.slice(0, 2)).toEqual(["work a", "work b"]);
  second.end("b");
  await expect.poll(() => jobs(store)).toEqual(["a"]);
  first.end("a");
  await expect.poll(() => jobs(store)).toEqual([]);
  expect([...first.begun, ...second.begun].filter((run) => run === "work b")).toHaveLength(1);
  expect([...first.reported, ...second.reported]).toEqual([]);
});

test("a promise that another process took back is not kept", async () => {
  const store = await openStore();
  const [first, second] = [openQueue(store), openQueue(store)];
  for (const task of ["a", "b"]) await first.queue.hand(task, "work");
  await expect.poll(() => first.begun).toEqual(["work a"]);
  await second.queue.withdraw("b");
  await first.queue.hand("c", "work");
  first.end("a");
  await expect.poll(() => first.begun).toEqual(["work a", "work c"]);
});

test("a task that is not for this server stays promised, for one that it is for", async () => {
  const store = await openStore();
  const first = openQueue(store);
  await first.queue.hand("a", "work");
  await expect.poll(() => first.begun).toEqual(["work a"]);
  await first.queue.stop();
  let asked = 0;
  const run = async () => {
    asked += 1;
    return false;
  };
  const other = new LocalQueue({ store, run, parallel: 1, report: () => {}, lookMs: 10 });
  onTestFinished(() => other.stop());
  await other.recover();
  await expect.poll(() => asked).toBe(1);
  const third = openQueue(store);
  await third.queue.recover();
  await expect.poll(() => third.begun).toEqual(["work a"]);
  expect(asked, "and is not asked again and again").toBe(1);
});
