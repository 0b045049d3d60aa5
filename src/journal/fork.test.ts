import { expect, test } from "vitest";
import { z } from "zod";
import { JournalBuilder, testFrozen } from "../../test/journal-builder.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import type { Role } from "../domain/message.ts";
import { readEvents } from "../store/events.ts";
import type { Store } from "../store/store.ts";
import { findTask } from "../store/tasks.ts";
import { compareRecordings } from "./compare.ts";
import { DatabaseRecording } from "./database-recording.ts";
import { forkTask } from "./fork.ts";
import { Journal, readFrozen } from "./journal.ts";
import { pruneTasks } from "./prune.ts";
import type { Strand } from "./strand.ts";
import { verifyRecording } from "./verify.ts";

const PARENT = "t00000001";
const FORK = "t00000002";

/** A run with a model call, two strands of their own, and another call. */
const work = (journal: Journal, ran: string[], prompt: string, answer = "first"): Promise<string> =>
  journal.run("task", async (strand) => {
    const step = (on: Strand, name: string, input: unknown, result: string) =>
      on.step(
        { kind: name.startsWith("ask") ? "model" : "tool", name, input, output: z.string() },
        async ({ emit }) => {
          ran.push(`${on.name}/${name}`);
          emit({ type: "warning-raised", code: "test", message: `${on.name}/${name}` });
          return result;
        },
      );
    await step(strand, "ask-plan", { prompt }, "a plan");
    const heads: string[] = [];
    for (const name of ["todo:one", "todo:two"]) {
      await journal.run(name, async (child) => {
        await step(child, "build", child.name, child.name);
        heads.push(child.head);
      });
    }
    // As the engine does it: what went on beside is recorded by where it ended.
    await strand.step({ kind: "checkpoint", name: "built", input: { heads }, output: z.null() }, async () => null);
    return step(strand, "ask-code", { prompt, after: "built" }, answer);
  });

async function recorded(store: Store, task: string): Promise<DatabaseRecording> {
  const row = await store.read.selectFrom("tasks").select("frozen_hash").where("id", "=", task).executeTakeFirst();
  return new DatabaseRecording(store, task, row?.frozen_hash ?? "");
}

async function forked(builder: JournalBuilder, store: Store, at: number, change: { coder?: string } = {}) {
  const said = testFrozen();
  const frozenParent = { ...said, prompts: { ...said.prompts, coder: "code" } };
  const journal = await builder.create(store, PARENT, frozenParent);
  await work(journal, [], "code");
  const prompts = { ...frozenParent.prompts, ...change };
  const changed: Role[] = change.coder === undefined ? [] : ["coder"];
  const frozen = { ...journal.frozen, prompts };
  const request = {
    task: FORK,
    at,
    frozen,
    prompts: changed,
    asksOtherwise: changed.length > 0,
    redact: builder.parts.redact,
    clock: () => 9000,
  };
  return forkTask(store, await recorded(store, PARENT), request);
}

test("a fork shares the past, runs only what lies behind it, and holds when verified and replayed", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  expect(await forked(builder, store, 4)).toEqual({ steps: 4 });
  expect(await findTask(store, FORK)).toMatchObject({ status: "paused", parent: PARENT, forkedAt: 4 });
  const blobs = await store.read.selectFrom("blobs").select("hash").execute();

  const ran: string[] = [];
  const journal = await builder.resume(store, FORK);
  expect(await work(journal, ran, "code", "second")).toBe("second");
  expect(ran).toEqual(["task/ask-code"]);
  const fork = await recorded(store, FORK);
  expect(await verifyRecording(fork)).toMatchObject({ steps: 5, faults: [] });
  expect(await work(await Journal.replay(fork), [], "code", "second")).toBe("second");
  const events = await readEvents(store, FORK);
  expect(events.map((event) => event.number)).toEqual([1, 2, 3, 4]);
  expect(await compareRecordings(await recorded(store, PARENT), fork)).toMatchObject({
    same: 4,
    first: { left: { path: "task/ask-code/1" }, what: "the same input, another result" },
  });

  // Only the new answer was added; what the fork needs outlives the parent.
  const after = await store.read.selectFrom("blobs").select("hash").execute();
  expect(after.length - blobs.length).toBe(1);
  await store.write((tx) => tx.updateTable("tasks").set({ owner: null }).execute());
  await pruneTasks(store, [PARENT]);
  expect((await verifyRecording(fork)).faults).toEqual([]);
});

test("another prompt reaches only what lies behind the fork", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  await forked(builder, store, 4, { coder: "code otherwise" });
  const ran: string[] = [];
  await work(await builder.resume(store, FORK), ran, "code otherwise");
  expect(ran).toEqual(["task/ask-code"]);
  const fork = await recorded(store, FORK);
  expect((await verifyRecording(fork)).faults).toEqual([]);
  await work(await Journal.replay(fork), [], "code otherwise");
  // What the fork asked itself must be the same again.
  const other = work(await Journal.replay(fork), [], "yet another");
  await expect(other).rejects.toThrow("diverges at step task/ask-code/1: its input differs");
});

test("without another prompt a past that was asked otherwise is a divergence", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  await forked(builder, store, 4);
  const replayed = work(await Journal.replay(await recorded(store, FORK)), [], "yet another");
  await expect(replayed).rejects.toThrow("diverges at step task/ask-plan/1: its input differs");
});

test("what was settled is forked before its end or not at all", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  const journal = await builder.create(store, PARENT);
  await journal.run("task", async (strand) => {
    const step = (name: string) =>
      strand.step({ kind: "decision", name, input: null, output: z.null() }, async () => null);
    for (const name of ["apply-intent", "apply", "settle"]) await step(name);
  });
  const request = {
    task: FORK,
    prompts: [],
    asksOtherwise: false,
    frozen: journal.frozen,
    redact: builder.parts.redact,
    clock: () => 1,
  };
  const parent = await recorded(store, PARENT);
  await expect(forkTask(store, parent, { ...request, at: 1 })).rejects.toThrow("was settled at step 0");
  expect(await store.read.selectFrom("tasks").select("id").execute()).toEqual([{ id: PARENT }]);
  expect(await forkTask(store, parent, { ...request, at: 0 })).toEqual({ steps: 0 });
});

test("a fork of a fork has the newest generation alone, numbered without holes", async () => {
  const builder = new JournalBuilder(temporaryDirectory());
  await using store = await builder.store();
  const journal = await builder.create(store, PARENT);
  await work(journal, [], "before an upgrade");
  await work(await builder.resume(store, PARENT), [], "after it");
  const fork = async (from: string, task: string, asksOtherwise: boolean) => {
    const request = { task, at: 7, frozen: journal.frozen, prompts: [], redact: builder.parts.redact, clock: () => 1 };
    const parent = await recorded(store, from);
    await forkTask(store, parent, { ...request, frozen: await readFrozen(parent), asksOtherwise });
    return recorded(store, task);
  };
  // The strand of the task was begun anew behind its five first steps; the children were not.
  const first = await fork(PARENT, FORK, true);
  expect(await verifyRecording(first)).toMatchObject({ steps: 4, faults: [] });
  const second = await fork(FORK, "t00000003", false);
  const rows = await store.read.selectFrom("steps").selectAll().where("task_id", "=", "t00000003").execute();
  expect(rows.map(({ sequence }) => Number(sequence)).sort()).toEqual([0, 1, 2, 3]);
  expect(rows.every(({ generation }) => Number(generation) === 0)).toBe(true);
  expect((await readEvents(store, "t00000003")).filter(({ step }) => step === "task/ask-plan/1")).toHaveLength(1);
  // What its parent was allowed to have asked otherwise is allowed to it, too.
  const ran: string[] = [];
  await work(await builder.resume(store, "t00000003"), ran, "yet another");
  expect(ran).toEqual(["task/ask-code"]);
  expect((await verifyRecording(second)).faults).toEqual([]);
});
