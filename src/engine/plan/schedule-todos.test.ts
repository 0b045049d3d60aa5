import { expect, test } from "vitest";
import { z } from "zod";
import { JournalBuilder } from "../../../test/journal-builder.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { fail } from "../../domain/failure.ts";
import { Plan } from "../../domain/plan/plan.ts";
import { DatabaseRecording } from "../../journal/database-recording.ts";
import { Journal } from "../../journal/journal.ts";
import { Stopped } from "../hands/stop.ts";
import { scheduleTodos } from "./schedule-todos.ts";

const plan = Plan.parse({
  todos: [
    { id: "a", title: "a" },
    { id: "b", title: "b" },
    { id: "c", title: "c", dependsOn: ["a"] },
    { id: "d", title: "d", dependsOn: ["b", "c"] },
  ],
});

type Effect = (todo: string, signal: AbortSignal) => Promise<string>;

/** Each todo is one step on a strand of its own. Returns what was begun and settled, in order. */
async function walk(journal: Journal, effect: Effect, limit = 2): Promise<string[]> {
  const seen: string[] = [];
  await journal.run("task", (strand) =>
    scheduleTodos(strand, {
      plan,
      limit,
      begin: async ({ id }, signal) => {
        seen.push(`begin ${id}`);
        await strand.step({ kind: "tool", name: "begin", input: id, output: z.null() }, async () => null);
        return () =>
          journal.run(`todo:${id}`, (own) =>
            own.step({ kind: "tool", name: "work", input: id, output: z.string() }, () => effect(id, signal)),
          );
      },
      settle: async ({ id }, result) => {
        seen.push(`settle ${id}`);
        return result === "failed" ? "failed" : "done";
      },
    }),
  );
  return seen;
}

/** `a` ends only when `c` could never have begun before it: b first, then a. */
const bFirst = (): Effect => {
  const b = Promise.withResolvers<void>();
  return async (todo) => {
    if (todo === "a") await b.promise;
    if (todo === "b") setImmediate(b.resolve);
    return todo;
  };
};

const opened = async () => {
  const builder = new JournalBuilder(temporaryDirectory("miracle-schedule-"));
  const store = await builder.store();
  return { builder, store };
};

test("a replay and a resume follow the recorded order of endings, and no work is done again", async () => {
  const { builder, store } = await opened();
  const journal = await builder.create(store);
  const seen = await walk(journal, bFirst());
  expect(seen).toEqual([
    ...["begin a", "begin b", "settle b", "settle a", "begin c", "settle c", "begin d", "settle d"],
  ]);
  const never: Effect = async (todo) => {
    throw new Error(`${todo} was done again`);
  };
  const recording = new DatabaseRecording(store, "t00000001", journal.claim?.frozenHash ?? "");
  expect(await walk(await Journal.replay(recording), never)).toEqual(seen);
  expect(await walk(await builder.resume(store), never)).toEqual(seen);
  await store[Symbol.asyncDispose]();
});

test("after a failure nothing more is begun, and what runs comes to its end", async () => {
  const { builder, store } = await opened();
  const a = Promise.withResolvers<void>();
  const seen = await walk(await builder.create(store), async (todo) => {
    if (todo === "a") await a.promise;
    setImmediate(a.resolve);
    return todo === "b" ? "failed" : todo;
  });
  expect(seen).toEqual(["begin a", "begin b", "settle b", "settle a"]);
  await store[Symbol.asyncDispose]();
});

test("who waits for an answer or for money holds nobody up, and a resume goes on from there", async () => {
  for (const error of [new Stopped("waiting"), fail("budget", "budget.cost", "used up")]) {
    const { builder, store } = await opened();
    const done: string[] = [];
    const waiting: Effect = async (todo) => {
      if (todo === "b") throw error;
      done.push(todo);
      return todo;
    };
    await expect(walk(await builder.create(store), waiting)).rejects.toBe(error);
    expect(done).toEqual(["a", "c"]);
    const again: string[] = [];
    await walk(await builder.resume(store), async (todo) => {
      again.push(todo);
      return todo;
    });
    expect(again).toEqual(["b", "d"]);
    await store[Symbol.asyncDispose]();
  }
});

test("any other error stops the others before it is thrown", async () => {
  const { builder, store } = await opened();
  const stopped: string[] = [];
  const broken: Effect = async (todo, signal) => {
    if (todo === "b") throw new Error("the sandbox broke");
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    stopped.push(todo);
    throw signal.reason;
  };
  await expect(walk(await builder.create(store), broken)).rejects.toThrow("the sandbox broke");
  expect(stopped).toEqual(["a"]);
  await store[Symbol.asyncDispose]();
});
