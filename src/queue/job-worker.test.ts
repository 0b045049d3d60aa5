import { expect, onTestFinished, test } from "vitest";
import type { Job, Taken, Worker } from "./job.ts";
import { LEASE_SECONDS } from "./job-queue.ts";
import { JobWorker, type RunEnding } from "./job-worker.ts";
import { LocalJobQueue } from "./local-job-queue.ts";

const job = (task: string): Job => ({
  ...{ task, purpose: "work", person: "ann", project: "/shop", priority: 0, labels: [], request: null },
});

/** A worker whose runs end when the test says so, on a queue whose clock is the test's. */
function openWorker(concurrency = 1, gate?: Promise<void>) {
  let now = 0;
  const queue = new SlowQueue(
    () => now,
    LEASE_SECONDS,
    async () => 0,
  );
  queue.gate = gate;
  const begun: string[] = [];
  const stopped: string[] = [];
  const reported: unknown[] = [];
  const ends = new Map<string, PromiseWithResolvers<RunEnding>>();
  const run = ({ task }: Taken, signal: AbortSignal) => {
    begun.push(task);
    const end = Promise.withResolvers<RunEnding>();
    ends.set(task, end);
    signal.addEventListener("abort", () => {
      stopped.push(task);
      end.resolve("stopped");
    });
    return end.promise;
  };
  const worker = new JobWorker({
    queue,
    worker: { name: "one", labels: [], projects: ["/shop"] },
    concurrency,
    run,
    stopping: () => new Error("stopped"),
    report: (error) => reported.push(error),
    lookMs: 10,
    beatMs: 10,
  });
  onTestFinished(() => worker.stop());
  worker.start();
  const pass = (seconds: number) => {
    now += seconds * 1000;
  };
  return { queue, worker, begun, stopped, reported, ends, pass };
}

test("works on so many jobs at once, and says that it lives", async () => {
  const { queue, begun, ends, pass } = openWorker(2);
  for (const task of ["a", "b", "c"]) await queue.enqueue(job(task));
  await expect.poll(() => begun).toEqual(["a", "b"]);
  for (let beat = 0; beat < 5; beat += 1) {
    pass(LEASE_SECONDS - 1);
    const [seen] = await queue.workers();
    await expect.poll(async () => (await queue.workers())[0]?.seenAt).toBeGreaterThan(seen?.seenAt ?? 0);
  }
  expect(await queue.figures()).toMatchObject({ ready: 1, running: 2 });
  ends.get("a")?.resolve("ended");
  await expect.poll(() => begun).toEqual(["a", "b", "c"]);
  expect(await queue.holds("a")).toBe(false);
});

test("stopped, it gives back what is under way and takes nothing more", async () => {
  const { queue, worker, begun, stopped } = openWorker();
  for (const task of ["a", "b"]) await queue.enqueue(job(task));
  await expect.poll(() => begun).toEqual(["a"]);
  await worker.stop();
  expect(stopped).toEqual(["a"]);
  expect(begun).toEqual(["a"]);
  expect(await queue.figures()).toMatchObject({ ready: 2, delayed: 0, running: 0, dead: 0 });
  expect(await queue.workers()).toEqual([]);
});

test("a job whose lease was lost is stopped, and not settled here", async () => {
  const { queue, begun, stopped, pass } = openWorker();
  await queue.enqueue(job("a"));
  await expect.poll(() => begun).toEqual(["a"]);
  pass(2 * LEASE_SECONDS);
  await expect.poll(() => stopped).toEqual(["a"]);
  expect(await queue.figures()).toMatchObject({ running: 0, delayed: 1 });
});

test("what throws is reported and tried again later; a task that is busy is looked for again", async () => {
  const { queue, begun, reported, ends, pass } = openWorker();
  await queue.enqueue(job("a"));
  await expect.poll(() => begun).toEqual(["a"]);
  const broken = new Error("broken");
  ends.get("a")?.reject(broken);
  await expect.poll(() => reported).toEqual([broken]);
  expect(await queue.figures()).toMatchObject({ delayed: 1 });
  pass(3600);
  await expect.poll(() => begun).toEqual(["a", "a"]);
  ends.get("a")?.resolve("busy");
  await expect.poll(async () => (await queue.figures()).delayed).toBe(1);
  pass(1);
  await expect.poll(() => begun).toEqual(["a", "a", "a"]);
});

test("what is taken while the worker is being stopped is given back before it has stopped", async () => {
  const gate = Promise.withResolvers<void>();
  const { queue, worker, begun } = openWorker(1, gate.promise);
  await queue.enqueue(job("a"));
  let isStopped = false;
  const stopping = worker.stop().then(() => {
    isStopped = true;
  });
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  gate.resolve();
  await stopping;
  expect(begun).toEqual([]);
  expect(await queue.figures()).toMatchObject({ ready: 1, running: 0 });
});

/** Takes a while to say which job is next. */
class SlowQueue extends LocalJobQueue {
  gate: Promise<void> | undefined;

  override async take(worker: Worker): Promise<Taken | null> {
    await this.gate;
    return super.take(worker);
  }
}
