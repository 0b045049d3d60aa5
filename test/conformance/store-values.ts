import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { Store } from "../../src/store/store.ts";
import { type TestDatabase, taskRow } from "./store-database.ts";

const WORDS = [
  "a",
  "B",
  "á",
  "Z",
  "z",
  "_",
  "aa",
  "a b",
  "a-b",
  "é",
  "É",
  "ß",
  "1",
  "10",
  "2",
  "𝒳",
  "\uffee",
  "Ω",
  "ab",
];

const TEXTS = {
  empty: "",
  quotes: `it's "quoted" \`here\` and \\ there, $1 ? :name %s`,
  lines: "one\ntwo\r\nthree\ttab",
  languages: "Ünïcödé 日本語 עברית العربية हिन्दी",
  beyond: "😀 👩‍👩‍👧 𝒳 \u{10ffff}",
  marks: "e\u0301 \ufeff \u200d \uffff \u0001",
  json: '{"text":"\\u0000"}',
};

/** What two databases could understand differently: order, case, numbers, nothing, any text. */
export function valuesConformance(name: string, database: () => TestDatabase | Promise<TestDatabase>): void {
  describe(`values in a store on ${name}`, () => {
    const openStore = async () => Store.open((await database()).open());

    test("text is ordered by its bytes, whatever the locale", async () => {
      await using store = await openStore();
      await store.write((tx) =>
        tx
          .insertInto("tasks")
          .values(WORDS.map((word) => taskRow(word, 1)))
          .execute(),
      );
      const byBytes = WORDS.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
      const rows = await store.read.selectFrom("tasks").select("id").orderBy("id").execute();
      expect(rows.map(({ id }) => id)).toEqual(byBytes);
      const behind = await store.read.selectFrom("tasks").select("id").where("id", ">", "Z").orderBy("id").execute();
      expect(behind.map(({ id }) => id)).toEqual(byBytes.slice(byBytes.indexOf("Z") + 1));
      const last = await store.read
        .selectFrom("tasks")
        .select((eb) => eb.fn.max("id").as("id"))
        .executeTakeFirstOrThrow();
      expect(last.id).toBe(byBytes.at(-1));
      const descriptions = await store.read.selectFrom("tasks").select("description").orderBy("description").execute();
      expect(descriptions.map(({ description }) => description)).toEqual(byBytes.map((word) => `goal of ${word}`));
    });

    test("upper and lower case are two", async () => {
      await using store = await openStore();
      await store.write((tx) =>
        tx
          .insertInto("tasks")
          .values([taskRow("abc", 1), taskRow("ABC", 2)])
          .execute(),
      );
      const rows = await store.read.selectFrom("tasks").select("created_at").where("id", "=", "ABC").execute();
      expect(rows).toEqual([{ created_at: 2 }]);
    });

    test("whole numbers come back as they were, up to the largest safe one", async () => {
      await using store = await openStore();
      const large = Number.MAX_SAFE_INTEGER;
      const row = { ...taskRow("t1", large), spent_micros: -large, step_count: 2 ** 40, iterations: 0 };
      await store.write((tx) => tx.insertInto("tasks").values(row).execute());
      const read = await store.read.selectFrom("tasks").selectAll().executeTakeFirstOrThrow();
      expect(read).toMatchObject({ created_at: large, spent_micros: -large, step_count: 2 ** 40, iterations: 0 });
    });

    test("sums and counts are numbers, and those of nothing are nothing", async () => {
      await using store = await openStore();
      const totals = () =>
        store.read
          .selectFrom("tasks")
          .select((eb) => [
            eb.fn.countAll<number>().as("count"),
            eb.fn.sum<number>("created_at").as("sum"),
            eb.fn.max("created_at").as("max"),
          ])
          .executeTakeFirstOrThrow();
      expect(await totals()).toEqual({ count: 0, sum: null, max: null });
      await store.write((tx) =>
        tx
          .insertInto("tasks")
          .values([taskRow("t1", 2), taskRow("t2", 40)])
          .execute(),
      );
      expect(await totals()).toEqual({ count: 2, sum: 42, max: 40 });
    });

    test("floating numbers keep every bit", async () => {
      await using store = await openStore();
      const values = [0.1 + 0.2, 1e-300, 1.7976931348623157e308, -1 / 3, 0];
      await store.write((tx) =>
        tx
          .insertInto("metrics")
          .values(
            values.map((value, index) => ({
              task_id: "t",
              metric_type: "m",
              value,
              metadata: null,
              created_at: index,
            })),
          )
          .execute(),
      );
      const rows = await store.read.selectFrom("metrics").select("value").orderBy("created_at").execute();
      expect(rows.map(({ value }) => value)).toEqual(values);
    });

    test("yes and no are 1 and 0", async () => {
      await using store = await openStore();
      const reservation = { id: "r", task_id: "t", path: "p", micros: 1, tokens: 1, created_at: 1 };
      await store.write((tx) => tx.insertInto("reservations").values(reservation).execute());
      await store.write((tx) => sql`update reservations set settled = ${true}`.execute(tx));
      expect(await store.read.selectFrom("reservations").select("settled").execute()).toEqual([{ settled: 1 }]);
    });

    test("nothing is not an empty text", async () => {
      await using store = await openStore();
      await store.write((tx) =>
        tx
          .insertInto("tasks")
          .values([
            { ...taskRow("t1", 1), wish: null },
            { ...taskRow("t2", 2), wish: "" },
          ])
          .execute(),
      );
      const none = await store.read.selectFrom("tasks").select("id").where("wish", "is", null).execute();
      const other = await store.read.selectFrom("tasks").select("id").where("wish", "!=", "pause").execute();
      expect([none, other]).toEqual([[{ id: "t1" }], [{ id: "t2" }]]);
    });

    test("any text comes back as it was; half characters and NUL become a replacement", async () => {
      await using store = await openStore();
      const texts = { ...TEXTS, half: "a\ud800b", nul: "a\0b" };
      const rows = Object.entries(texts).map(([id, description]) => ({ ...taskRow(id, 1), description }));
      await store.write((tx) => tx.insertInto("tasks").values(rows).execute());
      const read = await store.read.selectFrom("tasks").select(["id", "description"]).execute();
      const back = Object.fromEntries(read.map(({ id, description }) => [id, description]));
      expect(back).toEqual({ ...TEXTS, half: "a\ufffdb", nul: "a\ufffdb" });
    });

    test("large bytes and large text come back as they were", async () => {
      await using store = await openStore();
      const bytes = Buffer.alloc(3_000_000, Buffer.from([0, 255, 39, 92, 10]));
      const description = "größer als alles 😀".repeat(50_000);
      await store.write(async (tx) => {
        await tx.insertInto("blobs").values({ hash: "h", bytes }).execute();
        await tx
          .insertInto("tasks")
          .values({ ...taskRow("t1", 1), description })
          .execute();
      });
      const blob = await store.read.selectFrom("blobs").select("bytes").executeTakeFirstOrThrow();
      expect(Buffer.compare(Buffer.from(blob.bytes), bytes)).toBe(0);
      const row = await store.read.selectFrom("tasks").select("description").executeTakeFirstOrThrow();
      expect(row.description === description).toBe(true);
    });

    test("says how many rows a write changed", async () => {
      await using store = await openStore();
      const rows = [taskRow("t1", 1), taskRow("t2", 2), taskRow("t3", 3)];
      const counts = await store.write(async (tx) => {
        await tx.insertInto("tasks").values(rows).execute();
        const changed = await tx
          .updateTable("tasks")
          .set({ wish: "pause" })
          .where("created_at", ">", 1)
          .executeTakeFirst();
        const gone = await tx.deleteFrom("tasks").where("id", "in", ["t1", "t2", "t9"]).executeTakeFirst();
        return [changed.numUpdatedRows, gone.numDeletedRows];
      });
      expect(counts).toEqual([2n, 2n]);
    });

    test("a second row of the same key is refused, and everything of its write with it", async () => {
      await using store = await openStore();
      await store.write((tx) => tx.insertInto("tasks").values(taskRow("t1", 1)).execute());
      const twice = store.write(async (tx) => {
        await tx.insertInto("tasks").values(taskRow("t2", 1)).execute();
        await tx.insertInto("tasks").values(taskRow("t1", 1)).execute();
      });
      await expect(twice).rejects.toThrow(/unique/i);
      await store.write((tx) => tx.insertInto("tasks").values(taskRow("t3", 1)).execute());
      const rows = await store.read.selectFrom("tasks").select("id").orderBy("id").execute();
      expect(rows.map(({ id }) => id)).toEqual(["t1", "t3"]);
    });
  });
}
