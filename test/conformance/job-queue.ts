import { expect, onTestFinished, test } from "vitest";
import type { Job, Taken, Worker } from "../../src/queue/job.ts";
import { type JobQueue, MOST_ATTEMPTS } from "../../src/queue/job-queue.ts";

export interface TestQueue {
  queue: JobQueue;
  /** Says how many steps of a task are recorded: none, until it is said. */
  record(task: string, steps: number): void;
  /** So much time passes without a word of any worker: leases lapse, and pauses end. */
  pass(): Promise<void>;
}

const job = (task: string, more: Partial<Job> = {}): Job => ({
  task,
  purpose: "work",
  person: "ann",
  project: "/shop",
  priority: 0,
  labels: [],
  request: null,
  ...more,
});

const worker = (name: string, more: Partial<Worker> = {}): Worker => ({
  name,
  labels: [],
  projects: ["/shop", "/blog"],
  ...more,
});

const one = worker("one");

/** What every queue must do. */
export function jobQueueConformance(openQueue: () => Promise<TestQueue>): void {
  const open = async (): Promise<TestQueue> => {
    const opened = await openQueue();
    onTestFinished(() => opened.queue[Symbol.asyncDispose]());
    return opened;
  };

  test("gives each job to one worker, in the order in which they came, until it is done", async () => {
    const { queue } = await open();
    for (const task of ["a", "b", "c"]) await queue.enqueue(job(task, { purpose: "plan", request: "r1" }));
    const first = await take(queue, one);
    expect(first).toMatchObject(job("a", { purpose: "plan", request: "r1" }));
    expect(first.before).toEqual([]);
    const [second, third] = [await take(queue, worker("two")), await take(queue, one)];
    expect([second.task, third.task]).toEqual(["b", "c"]);
    expect(await queue.take(one)).toBeNull();
    expect(await queue.holds("a")).toBe(true);
    expect(await queue.done(first)).toBe(true);
    expect(await queue.holds("a")).toBe(false);
    expect(await queue.done(first), "only once").toBe(false);
    expect(await queue.take(one)).toBeNull();
  });

  test("many workers at once get each job once", async () => {
    const { queue } = await open();
    const tasks = Array.from({ length: 12 }, (_, index) => `t${index}`);
    for (const task of tasks) await queue.enqueue(job(task));
    const seen: string[] = [];
    const names = ["one", "two", "three", "four"];
    const work = async (name: string) => {
      // Somebody else may be quicker, so one empty hand is no sign that there is nothing left.
      while ((await queue.figures()).ready > 0) {
        const taken = await queue.take(worker(name));
        if (taken) seen.push(taken.task);
      }
    };
    await Promise.all(names.map(work));
    expect(seen.sort()).toEqual(tasks.sort());
  });

  test("a task that waits is not entered twice; one that is worked on may be entered again", async () => {
    const { queue } = await open();
    await queue.enqueue(job("a", { purpose: "plan" }));
    await queue.enqueue(job("a"));
    const planned = await take(queue, one);
    expect(planned.purpose).toBe("plan");
    expect(await queue.take(one)).toBeNull();
    await queue.enqueue(job("a"));
    const meanwhile = await queue.take(worker("two"));
    expect(meanwhile?.before ?? [], "who has it has not lost it").toEqual([]);
    if (meanwhile) await queue.giveBack(meanwhile);
    await queue.done(planned);
    expect((await take(queue, one)).purpose).toBe("work");
  });

  test("a task and its todos wait and are worked on beside each other, and each of them once", async () => {
    const { queue } = await open();
    const todo = (name: string) => job("a", { todo: `todo:${name}` });
    for (const entered of [job("a"), todo("x"), todo("x"), todo("y")]) await queue.enqueue(entered);
    const taken = [await take(queue, one), await take(queue, worker("two")), await take(queue, worker("two"))];
    expect(taken.map((each) => each.todo)).toEqual([undefined, "todo:x", "todo:y"]);
    expect(taken.map(({ before }) => before)).toEqual([[], [], []]);
    expect(await queue.take(one)).toBeNull();
    for (const each of taken.slice(0, 2)) expect(await queue.done(each)).toBe(true);
    expect(await queue.holds("a"), "the task itself has ended").toBe(false);
    await queue.renew(worker("two"), taken.slice(2));
    expect((await queue.workers()).find(({ name }) => name === "two")?.tasks).toEqual(["a"]);
  });

  test("a todo that fails, or whose worker is lost, is not tried again and is no dead letter", async () => {
    const { queue, pass } = await open();
    for (const name of ["todo:x", "todo:y"]) await queue.enqueue(job("a", { todo: name }));
    expect(await queue.retryLater(await take(queue, one), "no such tool")).toBe(true);
    await take(queue, one);
    await pass();
    expect(await queue.take(worker("two"))).toBeNull();
    expect(await queue.figures()).toMatchObject({ ready: 0, delayed: 0, running: 0, dead: 0 });
  });

  test("people take turns, whatever one of them has waiting; priority orders what is one person's", async () => {
    const { queue } = await open();
    for (const task of ["a1", "a2", "a3"]) await queue.enqueue(job(task, { priority: 9 }));
    await queue.enqueue(job("a4", { priority: 10 }));
    await queue.enqueue(job("b1", { person: "bob" }));
    await queue.enqueue(job("b2", { person: "bob", project: "/blog", priority: 1 }));
    const order: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const taken = await take(queue, one);
      order.push(taken.task);
      await queue.done(taken);
    }
    expect(order).toEqual(["a4", "b2", "a1", "b1", "a2", "a3"]);
  });

  test("a worker gets only what it can do", async () => {
    const { queue } = await open();
    await queue.enqueue(job("drawn", { labels: ["gpu", "docker"] }));
    await queue.enqueue(job("elsewhere", { project: "/attic" }));
    await queue.enqueue(job("plain"));
    expect((await take(queue, worker("one", { labels: ["gpu"] }))).task).toBe("plain");
    expect(await queue.take(worker("one", { labels: ["gpu"] }))).toBeNull();
    expect((await take(queue, worker("two", { labels: ["docker", "gpu", "fast"] }))).task).toBe("drawn");
    expect((await take(queue, worker("three", { projects: ["/attic"] }))).task).toBe("elsewhere");
  });

  test("what is given back counts as no attempt, and comes first among its like", async () => {
    const { queue } = await open();
    for (const task of ["a", "b"]) await queue.enqueue(job(task));
    for (let times = 0; times < 2 * MOST_ATTEMPTS; times += 1) {
      const taken = await take(queue, one);
      expect(taken.task).toBe("a");
      expect(await queue.giveBack(taken)).toBe(true);
      expect(await queue.giveBack(taken)).toBe(false);
    }
    expect(await queue.figures()).toMatchObject({ ready: 2, delayed: 0, running: 0, dead: 0 });
    expect(await queue.giveBack(await take(queue, one), 3600)).toBe(true);
    expect((await take(queue, one)).task).toBe("b");
    expect(await queue.figures()).toMatchObject({ ready: 0, delayed: 1, running: 1, dead: 0 });
  });

  test("what fails is tried later, at last it is a dead letter, which a person can revive", async () => {
    const { queue, pass } = await open();
    await queue.enqueue(job("a", { labels: ["gpu"], priority: 3 }));
    const able = worker("one", { labels: ["gpu"] });
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      expect(await queue.deadLetters()).toEqual([]);
      expect(await queue.retryLater(await take(queue, able), `broken ${attempt}`)).toBe(true);
      expect(await queue.take(able), "not at once").toBeNull();
      await pass();
    }
    expect(await queue.take(able)).toBeNull();
    const [letter] = await queue.deadLetters();
    expect(letter).toMatchObject({ job: job("a", { labels: ["gpu"], priority: 3 }), why: `broken ${MOST_ATTEMPTS}` });
    expect(await queue.holds("a")).toBe(true);
    expect(await queue.figures()).toMatchObject({ ready: 0, delayed: 0, running: 0, dead: 1, oldestMs: null });
    expect(await queue.revive("b")).toBe(false);
    expect(await queue.revive("a")).toBe(true);
    expect(await queue.deadLetters()).toEqual([]);
    expect(await queue.retryLater(await take(queue, able), "again")).toBe(true);
    await pass();
    expect((await take(queue, able)).task, "it has all its attempts again").toBe("a");
  });

  test("an attempt in which the task got on does not count, whether its worker failed or was lost", async () => {
    const { queue, record, pass } = await open();
    await queue.enqueue(job("a"));
    for (let steps = 1; steps <= 3 * MOST_ATTEMPTS; steps += 1) {
      const taken = await take(queue, worker(`w${steps}`));
      record("a", steps);
      if (steps % 2 === 0) expect(await queue.retryLater(taken, "broken")).toBe(true);
      await pass();
    }
    expect(await queue.deadLetters()).toEqual([]);
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      expect(await queue.deadLetters(), `${attempt} without a step`).toEqual([]);
      await take(queue, worker(`idle${attempt}`));
      await pass();
    }
    expect(await queue.take(one)).toBeNull();
    expect(await queue.deadLetters()).toMatchObject([
      { job: { task: "a" }, why: expect.stringMatching(/heartbeat|heard/) },
    ]);
  });

  test("steps of the attempts before do not make up for those in which the task stood still", async () => {
    const { queue, record, pass } = await open();
    await queue.enqueue(job("a"));
    await take(queue, one);
    record("a", 7);
    await pass();
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const taken = await take(queue, worker(`w${attempt}`));
      if (attempt % 2 === 0) expect(await queue.retryLater(taken, "broken")).toBe(true);
      await pass();
    }
    expect(await queue.take(one)).toBeNull();
    expect(await queue.deadLetters()).toHaveLength(1);
  });

  test.each(["failed", "was lost"])(
    "the last attempt counts as none, too, if the task got on before it %s",
    async (how) => {
      const { queue, record, pass } = await open();
      await queue.enqueue(job("a"));
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
        const taken = await take(queue, worker(`w${attempt}`));
        if (attempt === MOST_ATTEMPTS) record("a", 1);
        if (attempt === MOST_ATTEMPTS && how === "failed") expect(await queue.retryLater(taken, "broken")).toBe(true);
        await pass();
      }
      const taken = await take(queue, one);
      expect(taken.before, "whose claims may be taken").toEqual(expect.arrayContaining(["w1", "w2", "w3", "w4"]));
      expect(await queue.done(taken)).toBe(true);
      expect(await queue.deadLetters()).toEqual([]);
    },
  );

  test("the job of a worker that is silent goes to another one, and the first one is refused", async () => {
    const { queue, pass } = await open();
    for (const task of ["a", "b"]) await queue.enqueue(job(task));
    const [lost, other] = [await take(queue, one), await take(queue, one)];
    await pass();
    expect(await queue.renew(one, [lost, other])).toEqual([]);
    await queue.enqueue(job("c"));
    const two = worker("two");
    const again = await take(queue, two);
    for (const settle of [queue.done(lost), queue.giveBack(lost), queue.retryLater(lost, "late")]) {
      expect(await settle).toBe(false);
    }
    expect(await queue.renew(two, [again])).toEqual([again]);
    expect(await queue.done(again)).toBe(true);
  });

  test("who takes a job over learns who had it before", async () => {
    const { queue, pass } = await open();
    await queue.enqueue(job("a"));
    await take(queue, one);
    // Said by the same worker at the same time, before it knew what it had taken.
    await queue.renew(one, []);
    await pass();
    const two = worker("two");
    const second = await take(queue, two);
    expect(second.before).toEqual(["one"]);
    expect((await queue.figures()).takeOvers).toBe(1);
    expect(await queue.renew(two, [second])).toEqual([second]);
    await queue.done(second);
    await queue.enqueue(job("a"));
    expect((await take(queue, worker("three"))).before, "it was settled").toEqual([]);
    expect((await queue.figures()).takeOvers).toBe(1);
  });

  test("who renews in time keeps its job", async () => {
    const { queue } = await open();
    await queue.enqueue(job("a"));
    const taken = await take(queue, one);
    expect(await queue.renew(one, [taken])).toEqual([taken]);
    await queue.done(taken);
    expect(await queue.renew(one, [taken])).toEqual([]);
  });

  test("what is withdrawn is not begun, whether it waits or is dead", async () => {
    const { queue, pass } = await open();
    for (const task of ["a", "b"]) await queue.enqueue(job(task));
    await queue.withdraw("a");
    expect(await queue.holds("a")).toBe(false);
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      await queue.retryLater(await take(queue, one), "broken");
      await pass();
    }
    await queue.withdraw("b");
    expect(await queue.deadLetters()).toEqual([]);
    expect(await queue.holds("b")).toBe(false);
  });

  test("the todos of a task are withdrawn with it", async () => {
    const { queue } = await open();
    for (const entered of [job("a"), job("a", { todo: "todo:x" })]) await queue.enqueue(entered);
    await queue.withdraw("a");
    expect(await queue.take(one)).toBeNull();
  });

  test("says how much waits, how long, and who works on what", async () => {
    const { queue } = await open();
    expect(await queue.figures()).toEqual({
      ...{ ready: 0, delayed: 0, running: 0, dead: 0, oldestMs: null },
      takeOvers: 0,
    });
    for (const task of ["a", "b", "c"]) await queue.enqueue(job(task));
    const two = worker("two", { labels: ["gpu"] });
    const [a, b] = [await take(queue, one), await take(queue, two)];
    const figures = await queue.figures();
    expect(figures).toMatchObject({ ready: 1, delayed: 0, running: 2, dead: 0 });
    expect(figures.oldestMs).toBeGreaterThanOrEqual(0);
    await queue.renew(one, [a]);
    await queue.renew(two, [b]);
    expect(await queue.workers()).toMatchObject([
      { name: "one", labels: [], tasks: ["a"] },
      { name: "two", labels: ["gpu"], tasks: ["b"] },
    ]);
    await queue.done(a);
    await queue.renew(one, []);
    await queue.done(b);
    await queue.leave(two);
    expect(await queue.workers()).toMatchObject([{ name: "one", tasks: [] }]);
  });
}

async function take(queue: JobQueue, by: Worker): Promise<Taken> {
  const taken = await queue.take(by);
  if (!taken) throw new Error("there is no job");
  return taken;
}
