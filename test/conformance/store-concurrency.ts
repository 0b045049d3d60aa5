import { describe, expect, test } from "vitest";
import { Store } from "../../src/store/store.ts";
import { type TestDatabase, taskRow } from "./store-database.ts";

/** What several processes may rely on when they use one database. */
export function concurrencyConformance(name: string, database: () => TestDatabase | Promise<TestDatabase>): void {
  describe(`several processes on ${name}`, () => {
    const openStores = async (count: number) => {
      const { open } = await database();
      const stores: Store[] = [];
      for (let number = 0; number < count; number += 1) stores.push(await Store.open(open()));
      const close = async () => {
        for (const store of stores) await store[Symbol.asyncDispose]();
      };
      return { stores, [Symbol.asyncDispose]: close };
    };

    const two = async () => {
      const opened = await openStores(2);
      const [one, other] = opened.stores;
      if (!one || !other) throw new Error("two stores were opened");
      return { one, other, [Symbol.asyncDispose]: opened[Symbol.asyncDispose] };
    };

    test("what one has looked at is not changed behind its back before it writes", async () => {
      await using opened = await two();
      const { one, other } = opened;
      const ids = ["t1", "t2"];
      await one.write((tx) =>
        tx
          .insertInto("tasks")
          .values(ids.map((id) => taskRow(id, 1)))
          .execute(),
      );
      // Each may leave if the other one stays: only one of them can have seen that rightly.
      const leave = (store: Store, id: string) =>
        store.write(async (tx) => {
          const there = await tx.selectFrom("tasks").select("id").where("owner", "is not", null).execute();
          if (there.length > 1) await tx.updateTable("tasks").set({ owner: null }).where("id", "=", id).execute();
        });
      for (let round = 0; round < 10; round += 1) {
        await one.write((tx) => tx.updateTable("tasks").set({ owner: "{}" }).execute());
        await Promise.all([leave(one, "t1"), leave(other, "t2")]);
        const stayed = await one.read.selectFrom("tasks").select("id").where("owner", "is not", null).execute();
        expect(stayed, `round ${round}`).toHaveLength(1);
      }
    });

    test("a row that both want to make is made once, and both go on", async () => {
      await using opened = await two();
      const { one, other } = opened;
      for (let round = 0; round < 10; round += 1) {
        const hash = `h${round}`;
        const make = (store: Store) =>
          store.write((tx) =>
            tx
              .insertInto("blobs")
              .values({ hash, bytes: Buffer.from(hash) })
              .onConflict((conflict) => conflict.column("hash").doNothing())
              .execute(),
          );
        await Promise.all([make(one), make(other)]);
      }
      const { count } = await one.read
        .selectFrom("blobs")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      expect(count).toBe(10);
    });

    test("look first, then make: the second finds what the first one made", async () => {
      await using opened = await two();
      const { one, other } = opened;
      const makeOnce = (store: Store) =>
        store.write(async (tx) => {
          const found = await tx.selectFrom("tasks").select("id").where("id", "=", "t1").executeTakeFirst();
          if (!found) await tx.insertInto("tasks").values(taskRow("t1", 1)).execute();
          return found !== undefined;
        });
      for (let round = 0; round < 5; round += 1) {
        await one.write((tx) => tx.deleteFrom("tasks").execute());
        const found = await Promise.all([makeOnce(one), makeOnce(other)]);
        expect(found.toSorted(), `round ${round}`).toEqual([false, true]);
      }
    });

    test("writers of different tasks all get through", async () => {
      await using opened = await openStores(4);
      const { stores } = opened;
      await Promise.all(
        stores.map(async (store, number) => {
          const id = `t${number}`;
          await store.write((tx) => tx.insertInto("tasks").values(taskRow(id, number)).execute());
          for (let step = 0; step < 25; step += 1) {
            await store.write(
              async (tx) => {
                const task = tx.updateTable("tasks").where("id", "=", id);
                await task.set((eb) => ({ step_count: eb("step_count", "+", 1) })).execute();
                await tx
                  .insertInto("events")
                  .values({ task_id: id, number: step, at: 1, step: "", type: "t", body: "{}" })
                  .execute();
              },
              { durable: false },
            );
          }
        }),
      );
      const rows = await stores[0]?.read.selectFrom("tasks").select("step_count").execute();
      expect(rows).toEqual(stores.map(() => ({ step_count: 25 })));
    });

    test("who writes alone lets nobody else in until it is done, and hinders no reader", async () => {
      await using opened = await two();
      const { one, other } = opened;
      const order: string[] = [];
      let second: Promise<unknown> = Promise.resolve();
      await one.write(
        async (tx) => {
          second = other
            .write((its) => its.insertInto("tasks").values(taskRow("t2", 2)).execute())
            .then(() => order.push("second"));
          expect(await other.read.selectFrom("tasks").select("id").execute()).toEqual([]);
          await tx.insertInto("tasks").values(taskRow("t1", 1)).execute();
          for (let look = 0; look < 20; look += 1) await tx.selectFrom("tasks").select("id").execute();
          order.push("first");
        },
        { alone: true },
      );
      await second;
      expect(order).toEqual(["first", "second"]);
    });

    test("a long write shows nothing of itself until it is over, then all of it", async () => {
      await using opened = await two();
      const { one, other } = opened;
      const seen = new Set<number>();
      const look = async () => {
        seen.add((await other.read.selectFrom("tasks").select("id").execute()).length);
      };
      await one.write(async (tx) => {
        for (let number = 0; number < 50; number += 1) {
          await tx
            .insertInto("tasks")
            .values(taskRow(`t${number}`, number))
            .execute();
          await look();
        }
      });
      expect([...seen]).toEqual([0]);
      await look();
      expect([...seen]).toEqual([0, 50]);
    });

    test("what was written without waiting for the disk is there for the others at once", async () => {
      await using opened = await two();
      const { one, other } = opened;
      for (let number = 0; number < 10; number += 1) {
        await one.write(
          (tx) =>
            tx
              .insertInto("tasks")
              .values(taskRow(`t${number}`, number))
              .execute(),
          {
            durable: false,
          },
        );
        expect(await other.read.selectFrom("tasks").select("id").execute()).toHaveLength(number + 1);
      }
    });
  });
}
