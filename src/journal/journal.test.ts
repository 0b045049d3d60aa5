import { expect, test } from "vitest";
import { z } from "zod";
import { JournalBuilder, testFrozen } from "../../test/journal-builder.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { fail } from "../domain/failure.ts";
import { readEvents } from "../store/events.ts";
import { claimTask, pauseTask, thisProcess } from "./claim.ts";
import { DatabaseRecording } from "./database-recording.ts";
import { Divergence } from "./divergence.ts";
import { Journal } from "./journal.ts";
import { pack } from "./pack.ts";
import type { Strand } from "./strand.ts";
import { verifyRecording } from "./verify.ts";

const answer = (strand: Strand, name: string, input: unknown, effect: () => string) =>
  strand.step({ kind: "tool", name, input, output: z.string() }, async () => effect());

/** Remembers that an effect ran. */
const note = (ran: string[], name: string, result: string): string => {
  ran.push(name);
  return result;
};

test("a recorded step returns its result and never runs again", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  let runs = 0;
  const work = (strand: Strand) => answer(strand, "a", 1, () => `run ${++runs}`);
  const first = await (await builder.create(store)).run("task", work);
  const second = await (await builder.resume(store)).run("task", work);
  expect([first, second, runs]).toEqual(["run 1", "run 1", 1]);
});

test("a resume runs exactly the steps that are missing", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  const ran: string[] = [];
  const step = (strand: Strand, name: string) => answer(strand, name, null, () => note(ran, name, name));
  await (await builder.create(store)).run("task", async (strand) => {
    await step(strand, "a");
    await step(strand, "b");
  });
  await (await builder.resume(store)).run("task", async (strand) => {
    await step(strand, "a");
    await step(strand, "b");
    await step(strand, "c");
  });
  expect(ran).toEqual(["a", "b", "c"]);
});

test("paths count per name and steps are numbered over the task", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  await (await builder.create(store)).run("task", async (strand) => {
    await answer(strand, "iteration:1/code", 1, () => "x");
    await answer(strand, "iteration:1/test", 1, () => "x");
    await answer(strand, "iteration:1/code", 2, () => "x");
  });
  const rows = await store.read.selectFrom("steps").select(["path", "sequence"]).orderBy("sequence").execute();
  expect(rows.map((row) => `${row.sequence} ${row.path}`)).toEqual([
    "0 task/iteration:1/code/1",
    "1 task/iteration:1/test/1",
    "2 task/iteration:1/code/2",
  ]);
});

test("a failure that cannot mend itself is a recorded outcome", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  let runs = 0;
  const work = (strand: Strand) =>
    answer(strand, "a", null, () => {
      runs += 1;
      throw fail("policy", "scope.outside", "no");
    });
  await expect((await builder.create(store)).run("task", work)).rejects.toThrow("no");
  await expect((await builder.resume(store)).run("task", work)).rejects.toThrow("no");
  expect(runs).toBe(1);
});

test.each(["environment", "transient", "budget"] as const)(
  "a failure of kind %s is met afresh by a resume",
  async (kind) => {
    const builder = new JournalBuilder(temporaryDirectory());
    await using store = await builder.store();
    const failing = (strand: Strand) =>
      answer(strand, "a", null, () => {
        throw fail(kind, "some.code", "not now");
      });
    await expect((await builder.create(store)).run("task", failing)).rejects.toThrow("not now");
    expect(await (await builder.resume(store)).run("task", (strand) => answer(strand, "a", null, () => "now"))).toBe(
      "now",
    );
  },
);

test("overlapping steps on one strand throw", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  const journal = await builder.create(store);
  const overlapping = journal.run("task", (strand) =>
    Promise.all([answer(strand, "a", 1, () => "x"), answer(strand, "b", 1, () => "x")]),
  );
  await expect(overlapping).rejects.toThrow("overlaps a");
});

test("strands of one task work at once", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  const work = (journal: Journal) =>
    Promise.all(["b", "a"].map((name) => journal.run(name, (strand) => answer(strand, "x", 1, () => `from ${name}`))));
  expect(await work(await builder.create(store))).toEqual(["from b", "from a"]);
  expect(await work(await builder.resume(store))).toEqual(["from b", "from a"]);
});

test("events are committed with their step, numbered, and not repeated by a resume", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  const work = (strand: Strand) =>
    strand.step({ kind: "decision", name: "warn", input: null, output: z.null() }, async ({ emit }) => {
      emit({ type: "warning-raised", code: "a", message: "first" });
      emit({ type: "phase-changed", phase: "coding", iteration: 1 });
      return null;
    });
  await (await builder.create(store)).run("task", work);
  await (await builder.resume(store)).run("task", work);
  expect(builder.events.map((event) => [event.number, event.type])).toEqual([
    [1, "warning-raised"],
    [2, "phase-changed"],
  ]);
  const task = await store.read.selectFrom("tasks").select(["phase", "event_count"]).executeTakeFirstOrThrow();
  expect(task).toEqual({ phase: "coding", event_count: 2 });
});

test("a secret is gone before anything is recorded, in the live run too", async () => {
  const secret = "sk-very-secret-value";
  const builder = new JournalBuilder(temporaryDirectory(), [secret]);
  await using store = await builder.store();
  const goal = `use ${secret} to log in`;
  const frozen = testFrozen({ request: { goal, directory: "/x", attachments: [], apply: true } });
  const journal = await builder.create(store, "t00000001", frozen);
  const seen = await journal.run("task", (strand) => answer(strand, "a", null, () => `the key is ${secret}!`));
  expect(seen).toBe("the key is [redacted]!");
  const blobs = await store.read.selectFrom("blobs").select("bytes").execute();
  const tasks = JSON.stringify(await store.read.selectFrom("tasks").selectAll().execute());
  expect(blobs.map((row) => Buffer.from(row.bytes).toString()).join() + tasks).not.toContain(secret);
});

test("a process whose task was taken over can write nothing more", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  const slow = await builder.create(store);
  await builder.resume(store);
  await expect(slow.run("task", (strand) => answer(strand, "a", 1, () => "late"))).rejects.toThrow("taken over");
  expect(await store.read.selectFrom("steps").selectAll().execute()).toEqual([]);
});

test("a cancelled step leaves no row", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  const controller = new AbortController();
  const journal = await Journal.create(
    store,
    "t00000001",
    testFrozen(),
    { host: "h", pid: 1, startTime: "" },
    {
      ...builder.parts,
      signal: controller.signal,
    },
  );
  controller.abort(new Error("stop"));
  await expect(journal.run("task", (strand) => answer(strand, "a", 1, () => "x"))).rejects.toThrow("stop");
  expect(await store.read.selectFrom("steps").selectAll().execute()).toEqual([]);
});

async function recorded(work: (strand: Strand) => Promise<unknown>) {
  const builder = new JournalBuilder(temporaryDirectory());
  const store = await builder.store();
  const journal = await builder.create(store);
  await journal.run("task", work);
  return { builder, store, recording: new DatabaseRecording(store, journal.task, journal.claim?.frozenHash ?? "") };
}

const twoSteps = async (strand: Strand) => {
  const first = await answer(strand, "a", { say: "one" }, () => "1");
  return answer(strand, "b", { after: first }, () => "2");
};

test("a replay gives the same result and runs nothing", async () => {
  const { store, recording } = await recorded(twoSteps);
  const forbidden = async (strand: Strand) => {
    const first = await answer(strand, "a", { say: "one" }, () => {
      throw new Error("ran");
    });
    return answer(strand, "b", { after: first }, () => {
      throw new Error("ran");
    });
  };
  expect(await (await Journal.replay(recording)).run("task", forbidden)).toBe("2");
  await store[Symbol.asyncDispose]();
});

test("a replay with another input names the step and shows what differs", async () => {
  const { store, recording } = await recorded(twoSteps);
  const changed = (strand: Strand) => answer(strand, "a", { say: "two" }, () => "1");
  const error = await (await Journal.replay(recording)).run("task", changed).catch((caught) => caught);
  expect(error).toBeInstanceOf(Divergence);
  expect(error.step).toBe("task/a/1");
  expect(error.message).toContain('say: recorded "one", now "two"');
  await store[Symbol.asyncDispose]();
});

test("a replay fails on a step that was not recorded and on one that is not reached", async () => {
  const { store, recording } = await recorded(twoSteps);
  const more = async (strand: Strand) => {
    await twoSteps(strand);
    await answer(strand, "c", null, () => "3");
  };
  await expect((await Journal.replay(recording)).run("task", more)).rejects.toThrow("task/c/1: the recording ends");
  const fewer = (strand: Strand) => answer(strand, "a", { say: "one" }, () => "1");
  await expect((await Journal.replay(recording)).run("task", fewer)).rejects.toThrow(
    "task/b/1: it was recorded but never",
  );
  await store[Symbol.asyncDispose]();
});

test("a resume that diverges goes on from its last checkpoint and keeps the old rows", async () => {
  const checkpoint = (strand: Strand) =>
    strand.step({ kind: "checkpoint", name: "point", input: null, output: z.null() }, async () => null);
  const { builder, store } = await recorded(async (strand) => {
    await answer(strand, "a", 1, () => "kept");
    await checkpoint(strand);
    await answer(strand, "b", "old input", () => "old");
  });
  const ran: string[] = [];
  const changed = async (strand: Strand) => {
    const a = await answer(strand, "a", 1, () => note(ran, "a", "again"));
    await checkpoint(strand);
    const b = await answer(strand, "b", "new input", () => note(ran, "b", "new"));
    return [a, b];
  };
  expect(await (await builder.resume(store)).run("task", changed)).toEqual(["kept", "new"]);
  expect(ran).toEqual(["b"]);
  expect(await (await builder.resume(store)).run("task", changed)).toEqual(["kept", "new"]);
  const rows = await store.read.selectFrom("steps").select(["generation", "path"]).orderBy("sequence").execute();
  expect(rows.map((row) => `${row.generation} ${row.path}`)).toEqual([
    "0 task/a/1",
    "0 task/point/1",
    "0 task/b/1",
    "1 task/b/1",
  ]);
  await store[Symbol.asyncDispose]();
});

test("a strand that diverges at its first step begins anew and comes to its end", async () => {
  const { builder, store } = await recorded((strand) => answer(strand, "a", "old input", () => "old"));
  let runs = 0;
  const changed = (strand: Strand) =>
    answer(strand, "a", "new input", () => {
      runs += 1;
      return "new";
    });
  expect(await (await builder.resume(store)).run("task", changed)).toBe("new");
  expect(await (await builder.resume(store)).run("task", changed)).toBe("new");
  expect(runs).toBe(1);
  await store[Symbol.asyncDispose]();
});

test("a recorded output that cannot be read any more is a divergence, not a dead end", async () => {
  const { builder, store } = await recorded((strand) => answer(strand, "a", 1, () => "text"));
  const upgraded = (strand: Strand) =>
    strand.step({ kind: "tool", name: "a", input: 1, output: z.number() }, async () => 42);
  expect(await (await builder.resume(store)).run("task", upgraded)).toBe(42);
  await store[Symbol.asyncDispose]();
});

test("a claim for delivery leaves the status alone, and a settled task is claimed for nothing else", async () => {
  const { builder, store, recording } = await recorded(twoSteps);
  await store.write((tx) => tx.updateTable("tasks").set({ status: "proven", owner: null }).execute());
  await expect(builder.resume(store)).rejects.toThrow("is over (proven)");
  await claimTask(store, recording.task, thisProcess(), { purpose: "delivery" });
  const task = await store.read.selectFrom("tasks").select(["status", "epoch"]).executeTakeFirstOrThrow();
  expect(task).toEqual({ status: "proven", epoch: 2 });
  await store[Symbol.asyncDispose]();
});

test("a task that is given back before its end says why, and resumes as if nothing had been said", async () => {
  const { builder, store, recording } = await recorded(twoSteps);
  const claim = await claimTask(store, recording.task, thisProcess(), { purpose: "work" });
  await pauseTask(store, claim, { status: "paused", reason: "no key", at: 5 });
  const task = await store.read.selectFrom("tasks").select(["status", "owner"]).executeTakeFirstOrThrow();
  expect(task).toEqual({ status: "paused", owner: null });
  expect(await readEvents(store, recording.task)).toMatchObject([{ type: "task-paused", reason: "no key", number: 1 }]);
  expect(await (await builder.resume(store)).run("task", twoSteps)).toBe("2");
  await store[Symbol.asyncDispose]();
});

test("verify finds a strand that was taken out", async () => {
  const { builder, store, recording } = await recorded((strand) => answer(strand, "a", 1, () => "1"));
  await (await builder.resume(store)).run("todo:x", (strand) => answer(strand, "b", 2, () => "2"));
  expect((await verifyRecording(recording)).faults).toEqual([]);
  await store.write((tx) => tx.deleteFrom("steps").where("strand", "=", "task").execute());
  expect((await verifyRecording(recording)).faults).toEqual(["1 steps are missing, the first is number 0"]);
  await store[Symbol.asyncDispose]();
});

test("verify accepts an untouched recording and finds any changed byte", async () => {
  const { store, recording } = await recorded(async (strand) => {
    await answer(strand, "a", "x".repeat(500), () => "y".repeat(500));
    await answer(strand, "b", 2, () => "2");
  });
  expect((await verifyRecording(recording)).faults).toEqual([]);
  const step = await store.read
    .selectFrom("steps")
    .selectAll()
    .where("path", "=", "task/a/1")
    .executeTakeFirstOrThrow();
  await store.write((tx) =>
    tx
      .updateTable("blobs")
      .set({ bytes: Buffer.from('"z"') })
      .where("hash", "=", step.output_hash)
      .execute(),
  );
  expect((await verifyRecording(recording)).faults).toEqual([
    expect.stringMatching(/^output of task\/a\/1: blob .* does not have the content/),
  ]);
  await store.write((tx) => tx.updateTable("steps").set({ ended_at: 1 }).where("path", "=", "task/b/1").execute());
  expect((await verifyRecording(recording)).faults).toContain("task/b/1: its row was changed");
  await store[Symbol.asyncDispose]();
});

test("the clock is recorded", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  const first = await (await builder.create(store)).run("task", (strand) => strand.now());
  expect(await (await builder.resume(store)).run("task", (strand) => strand.now())).toBe(first);
});

test.each([
  ["of another format", 1, "recorded in another format (1; this Miracle reads 2)"],
  ["that says no format", undefined, "recorded in another format (none; this Miracle reads 2)"],
])("a recording %s is refused with one line that says what to do", async (_, format, said) => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  const { frozen } = await builder.create(store);
  const packed = pack({ ...frozen, format });
  const recording = {
    task: "t00000001",
    frozenHash: packed.hash,
    blob: async (hash: string) => packed.blobs.get(hash) ?? "",
    strand: async () => ({ steps: [], generation: 0 }),
    strands: async () => [],
  };
  const refused = await Journal.replay(recording).catch((error: unknown) => error);
  expect(refused).toMatchObject({ failure: { kind: "invalid-input", code: "recording.format" } });
  expect(refused).toMatchObject({ message: expect.stringContaining(said) });
});
