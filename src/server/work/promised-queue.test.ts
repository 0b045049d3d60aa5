import { expect, onTestFinished, test } from "vitest";
import { JournalBuilder } from "../../../test/journal-builder.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { stopEverything } from "../../app/stop-everything.ts";
import { fail } from "../../domain/failure.ts";
import type { Purpose, Taken } from "../../queue/job.ts";
import { JobWorker, type RunEnding } from "../../queue/job-worker.ts";
import { LocalJobQueue } from "../../queue/local-job-queue.ts";
import type { Store } from "../../store/store.ts";
import { PromisedQueue } from "./promised-queue.ts";
import { Promises } from "./promises.ts";

async function openStore(): Promise<Store> {
  const store = await new JournalBuilder(temporaryDirectory()).store();
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

/** A queue whose runs end when the test says so. */
function openQueue(store: Store, parallel = 1, projects = ["/shop"]) {
  const begun: string[] = [];
  const reported: unknown[] = [];
  const report = (error: unknown) => void reported.push(error);
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const run = ({ task, purpose }: Taken, signal: AbortSignal) => {
    begun.push(`${purpose} ${task}`);
    return new Promise<RunEnding>((resolve, reject) => {
      ends.set(task, { resolve: () => resolve("ended"), reject });
      signal.addEventListener("abort", () => resolve("stopped"));
    });
  };
  const promises = new Promises(store);
  const jobs = new LocalJobQueue(Date.now, Number.POSITIVE_INFINITY, async () => 0);
  const worker = new JobWorker({
    queue: jobs,
    worker: { name: "this", labels: [], projects },
    concurrency: parallel,
    run: (job, signal) => promises.keep("servers", job, () => run(job, signal), report),
    stopping: () => new Error("stopped"),
    report,
    lookMs: 10,
  });
  const queue = new PromisedQueue({ store, jobs, keepers: "servers", worker, report, lookMs: 10 });
  onTestFinished(() => queue.stop());
  const hand = (task: string, purpose: Purpose, prepare = () => makeTask(store, task)) =>
    queue.hand(task, purpose, prepare);
  return { queue, hand, begun, reported, end: (task: string) => ends.get(task)?.resolve(), ends };
}

/** What a queue wants to know of a task. */
async function makeTask(store: Store, id: string): Promise<void> {
  const nothing = { parent_id: null, base_tree: null, final_code: null, failure: null, owner: null, wish: null };
  const row = {
    id,
    description: id,
    directory: "/shop",
    status: "running",
    phase: "plan",
    frozen_hash: "",
    ...nothing,
  };
  await store.write(async (tx) => {
    await tx
      .insertInto("tasks")
      .values({ ...row, created_at: 0, updated_at: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

const jobs = async (store: Store) =>
  (await store.read.selectFrom("jobs").select("task_id").orderBy("handed_at").execute()).map((row) => row.task_id);

test("what is promised while the queue is away is no failure: it is entered when the queue is back", async () => {
  const store = await openStore();
  const jobs = new LocalJobQueue(Date.now, Number.POSITIVE_INFINITY, async () => 0);
  const enqueue = jobs.enqueue.bind(jobs);
  let away = 2;
  jobs.enqueue = async (job) => {
    away -= 1;
    if (away >= 0) throw fail("environment", "store.unreachable", "the queue is away");
    return enqueue(job);
  };
  const reported: unknown[] = [];
  const report = (error: unknown) => void reported.push(error);
  const queue = new PromisedQueue({ store, jobs, keepers: "workers", report, lookMs: 1_000_000 });
  onTestFinished(() => queue.stop());
  await queue.hand("a", "work", () => makeTask(store, "a"));
  expect(reported).toHaveLength(1);
  expect(await queue.isPromised("a")).toBe(true);
  await expect.poll(() => jobs.holds("a"), { timeout: 10_000 }).toBe(true);
});

test("works on so many tasks at once, in the order in which they came", async () => {
  const store = await openStore();
  const { hand, begun, end } = openQueue(store, 2);
  for (const task of ["a", "b", "c"]) await hand(task, "work");
  await expect.poll(() => begun).toEqual(["work a", "work b"]);
  end("a");
  await expect.poll(() => begun).toEqual(["work a", "work b", "work c"]);
  expect(await jobs(store)).toEqual(["b", "c"]);
});

test("what is stopped or never begun is taken up by the next queue, and what has ended is not", async () => {
  const store = await openStore();
  const first = openQueue(store, 2);
  for (const task of ["a", "b", "c"]) await first.hand(task, task === "b" ? "plan" : "work");
  first.end("a");
  await expect.poll(() => first.begun).toHaveLength(3);
  await first.queue.stop();
  const second = openQueue(store, 5);
  await second.queue.recover();
  await expect.poll(() => second.begun).toEqual(["plan b", "work c"]);
});

test("a task that is handed again while it is worked on is worked on once more, afterwards", async () => {
  const store = await openStore();
  const { hand, begun, end } = openQueue(store, 5);
  await hand("a", "plan");
  await hand("a", "work");
  await expect.poll(() => begun).toEqual(["plan a"]);
  end("a");
  await expect.poll(() => begun).toEqual(["plan a", "work a"]);
  expect(await jobs(store), "the second promise outlives the end of the first").toEqual(["a"]);
  end("a");
  await expect.poll(() => jobs(store)).toEqual([]);
});

test("a promise is written before the task is made, and taken back if that fails", async () => {
  const store = await openStore();
  const { hand, begun } = openQueue(store);
  const look = async () => {
    expect(await jobs(store)).toEqual(["a"]);
    await makeTask(store, "a");
  };
  await hand("a", "work", look);
  const failing = hand("b", "work", () => Promise.reject(new Error("no such model")));
  await expect(failing).rejects.toThrow("no such model");
  expect(await jobs(store)).toEqual(["a"]);
  await expect.poll(() => begun).toEqual(["work a"]);
});

test("what is withdrawn is not begun, not even by the next queue", async () => {
  const store = await openStore();
  const { queue, hand, begun } = openQueue(store);
  for (const task of ["a", "b", "c"]) await hand(task, "work");
  await queue.withdraw("a");
  await queue.withdraw("b");
  expect(await queue.isPromised("b")).toBe(false);
  await expect.poll(() => begun).toEqual(["work a"]);
  await queue.stop();
  const second = openQueue(store, 5);
  await second.queue.recover();
  await expect.poll(() => second.begun).toEqual(["work c"]);
});

test("the kill switch withdraws what waits, and nothing of it begins later", async () => {
  const store = await openStore();
  const { queue, hand, begun, end } = openQueue(store);
  for (const task of ["a", "b", "c"]) await hand(task, "work");
  await expect.poll(() => begun).toEqual(["work a"]);
  expect(await stopEverything(store, { force: false })).toMatchObject({ withdrawn: ["a", "b", "c"] });
  end("a");
  await expect.poll(() => queue.isPromised("b")).toBe(false);
  await queue.stop();
  const second = openQueue(store, 5);
  await second.queue.recover();
  await second.hand("d", "work");
  await expect.poll(() => second.begun).toEqual(["work d"]);
  expect(begun).toEqual(["work a"]);
});

test("what could not begin is reported and tried again later, unless there is nothing left to do", async () => {
  const store = await openStore();
  const { hand, begun, reported, ends } = openQueue(store);
  for (const task of ["a", "b", "c"]) await hand(task, "work");
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
  for (const task of ["a", "b"]) await first.hand(task, "work");
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
  for (const task of ["a", "b"]) await first.hand(task, "work");
  await expect.poll(() => first.begun).toEqual(["work a"]);
  await second.queue.withdraw("b");
  await first.hand("c", "work");
  first.end("a");
  await expect.poll(() => first.begun).toEqual(["work a", "work c"]);
});

test("a task that is not for this server stays promised, for one that it is for", async () => {
  const store = await openStore();
  const first = openQueue(store, 1, ["/blog"]);
  await first.queue.recover();
  await first.hand("a", "work");
  const second = openQueue(store);
  await second.queue.recover();
  await expect.poll(() => second.begun).toEqual(["work a"]);
  expect(first.begun).toEqual([]);
});

test("a promise is kept by those it was made for", async () => {
  const store = await openStore();
  const { queue, begun } = openQueue(store);
  const jobs = new LocalJobQueue(Date.now, Number.POSITIVE_INFINITY, async () => 0);
  const forWorkers = { store, jobs, keepers: "workers", report: () => {}, lookMs: 10 } as const;
  await new PromisedQueue(forWorkers).hand("a", "work", () => makeTask(store, "a"), { priority: 3, labels: ["gpu"] });
  await jobs.withdraw("a");
  await queue.recover();
  await queue.hand("b", "work", () => makeTask(store, "b"));
  await expect.poll(() => begun).toEqual(["work b"]);
  const again = new PromisedQueue(forWorkers);
  onTestFinished(() => again.stop());
  await again.recover();
  const worker = { name: "one", labels: ["gpu"], projects: ["/shop"] };
  expect(await jobs.take(worker), "entered again by who finds it in no queue").toMatchObject({
    ...{ task: "a", purpose: "work", person: "", project: "/shop", priority: 3, labels: ["gpu"], request: null },
  });
  expect(await jobs.take(worker)).toBeNull();
});

test("who gets a job once more after its result was promised to a server leaves that promise alone", async () => {
  const promises = new Promises(await openStore());
  const job = { task: "a", purpose: "work", person: "", priority: 0, labels: [], request: null } as const;
  const taken = { ...job, labels: [], project: "/shop", lease: "", before: [] };
  await promises.make({ ...job, labels: [] }, "deliverers");
  const run = () => Promise.reject(fail("invalid-input", "task.settled", "it has ended"));
  expect(await promises.keep("workers", taken, run, () => {})).toBe("ended");
  expect(await promises.find("a", "deliverers")).not.toBeNull();
});
