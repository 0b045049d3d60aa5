import { describe, expect, test } from "vitest";
import { SCHEMA_VERSION, Store } from "../../src/store/store.ts";
import { findTask, lastTask, listTasks, readWish, wish } from "../../src/store/tasks.ts";
import { concurrencyConformance } from "./store-concurrency.ts";
import { type TestDatabase, taskRow } from "./store-database.ts";
import { metricsConformance } from "./store-metrics.ts";
import { valuesConformance } from "./store-values.ts";

export interface ConformanceOptions {
  /** A database that can only be talked to from one place shows nothing about several. */
  oneSession?: boolean;
}

/** What every database behind the store must do. */
export function storeConformance(
  name: string,
  database: () => TestDatabase | Promise<TestDatabase>,
  { oneSession = false }: ConformanceOptions = {},
): void {
  const task = taskRow;
  valuesConformance(name, database);
  metricsConformance(name, database);
  if (!oneSession) concurrencyConformance(name, database);

  describe(`a store on ${name}`, () => {
    test.skipIf(oneSession)("migrates a new database once, also when two open it at the same time", async () => {
      const { open } = await database();
      const stores = await Promise.all([Store.open(open()), Store.open(open())]);
      expect(await open().version()).toBe(SCHEMA_VERSION);
      for (const store of stores) {
        expect(await store.read.selectFrom("tasks").selectAll().execute()).toEqual([]);
        await store[Symbol.asyncDispose]();
      }
    });

    test("commits everything of a write or nothing", async () => {
      const { open } = await database();
      await using store = await Store.open(open());
      const half = store.write(async (tx) => {
        await tx.insertInto("tasks").values(task("t00000001", 1)).execute();
        throw new Error("half way");
      });
      await expect(half).rejects.toThrow("half way");
      expect((await listTasks(store, { limit: 10 })).tasks).toEqual([]);
      await store.write((tx) => tx.insertInto("tasks").values(task("t00000002", 1)).execute());
      expect((await listTasks(store, { limit: 10 })).tasks).toHaveLength(1);
    });

    test.skipIf(oneSession)("never shows a reader a write that is under way", async () => {
      const { open } = await database();
      await using store = await Store.open(open());
      let seen = -1;
      await store.write(async (tx) => {
        await tx.insertInto("tasks").values(task("t00000001", 1)).execute();
        seen = (await listTasks(store, { limit: 10 })).tasks.length;
      });
      expect(seen).toBe(0);
    });

    test.skipIf(oneSession)("lets several processes count without losing one", async () => {
      const { open } = await database();
      const stores = await Promise.all([Store.open(open()), Store.open(open()), Store.open(open())]);
      await stores[0]?.write((tx) => tx.insertInto("tasks").values(task("t00000001", 1)).execute());
      const rounds = stores.flatMap((store) =>
        Array.from({ length: 30 }, (_, index) =>
          store.write(
            async (tx) => {
              // Read, then write: what a deferred transaction fails at.
              const row = await tx.selectFrom("tasks").select("step_count").executeTakeFirstOrThrow();
              await tx
                .updateTable("tasks")
                .set({ step_count: row.step_count + 1 })
                .execute();
            },
            { durable: index % 2 === 0 },
          ),
        ),
      );
      await Promise.all(rounds);
      const row = await stores[0]?.read.selectFrom("tasks").select("step_count").executeTakeFirstOrThrow();
      expect(row?.step_count).toBe(90);
      for (const store of stores) await store[Symbol.asyncDispose]();
    });

    test("keeps bytes as they are, NUL and all", async () => {
      const { open } = await database();
      await using store = await Store.open(open());
      const bytes = Buffer.from([0, 1, 255, 0, 0xc3, 0x28]);
      await store.write((tx) => tx.insertInto("blobs").values({ hash: "h", bytes }).execute());
      const row = await store.read.selectFrom("blobs").select("bytes").executeTakeFirstOrThrow();
      expect(Buffer.from(row.bytes)).toEqual(bytes);
    });

    test("pages through tasks, newest first, each exactly once", async () => {
      const { open } = await database();
      await using store = await Store.open(open());
      const tasks = Array.from({ length: 25 }, (_, index) =>
        task(`t${String(index).padStart(8, "0")}`, Math.floor(index / 3)),
      );
      await store.write((tx) => tx.insertInto("tasks").values(tasks).execute());
      const seen: string[] = [];
      let before: { createdAt: number; id: string } | undefined;
      do {
        const page = await listTasks(store, { limit: 4, ...(before && { before }) });
        seen.push(...page.tasks.map((summary) => summary.id));
        before = page.next;
      } while (before);
      expect(seen).toEqual(tasks.map((row) => row.id).reverse());
    });

    test("finds a task by the beginning of its id, if only one has it", async () => {
      const { open } = await database();
      await using store = await Store.open(open());
      await store.write((tx) =>
        tx
          .insertInto("tasks")
          .values([task("t00000001", 1), task("t00000011", 2), task("t1abcdefg", 3)])
          .execute(),
      );
      expect((await findTask(store, "t1")).id).toBe("t1abcdefg");
      expect((await findTask(store, "t00000001")).id).toBe("t00000001");
      expect((await lastTask(store, "/project")).id).toBe("t1abcdefg");
      await expect(findTask(store, "t0000000")).resolves.toMatchObject({ id: "t00000001" });
      await expect(findTask(store, "t000000")).rejects.toThrow("several tasks");
      await expect(findTask(store, "t9")).rejects.toThrow("there is no task t9");
    });

    test("passes a wish on to whoever works on the task", async () => {
      const { open } = await database();
      await using store = await Store.open(open());
      await store.write((tx) =>
        tx
          .insertInto("tasks")
          .values([task("t00000001", 1), { ...task("t00000002", 2), owner: null }])
          .execute(),
      );
      expect(await wish(store, "t00000001", "pause")).toBe(true);
      expect(await readWish(store, "t00000001")).toBe("pause");
      expect(await wish(store, "t00000002", "pause")).toBe(false);
    });
  });
}
