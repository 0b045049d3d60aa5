import { join } from "node:path";
import { expect, test } from "vitest";
import { entry, fill, memoryIndexConformance, vector } from "../../test/conformance/memory-index.ts";
import { memoryUsesConformance } from "../../test/conformance/memory-uses.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { sqliteDialect } from "../store/sqlite.ts";
import { Store } from "../store/store.ts";
import { SqliteMemoryIndex } from "./sqlite-index.ts";

const database = () => {
  const file = join(temporaryDirectory(), "miracle.db");
  return {
    open: async () => {
      const store = await Store.open(sqliteDialect(file));
      return { store, index: new SqliteMemoryIndex(store) };
    },
  };
};

memoryIndexConformance("SQLite", database);
memoryUsesConformance("SQLite", database);

test("vectors are found in packs and behind them, also by a process that cached the packs, and removed ones are not", async () => {
  const { open } = database();
  const one = await open();
  const two = await open();
  await one.index.prepare();
  const filter = { kind: "lesson", audiences: "any" } as const;
  const many = Array.from({ length: 2200 }, (_, seed) => entry(`e${seed}`, { vectors: [vector("m-64", seed, 64)] }));
  await fill(one, many.slice(0, 1500));
  const best = async (seed: number) => (await two.index.nearest(vector("m-64", seed, 64), filter, 1))[0];
  expect(await best(10)).toMatchObject({ id: "e10" });
  expect(await best(1400)).toMatchObject({ id: "e1400" });
  await fill(one, many.slice(1500));
  expect(await best(2150)).toMatchObject({ id: "e2150" });
  expect(await best(1600)).toMatchObject({ id: "e1600" });
  await one.store.write((tx) => one.index.remove(tx, ["e10", "e2150"]));
  expect((await best(10))?.id).not.toBe("e10");
  expect((await best(2150))?.id).not.toBe("e2150");
  expect((await best(11))?.id).toBe("e11");
  for (const { store } of [one, two]) await store[Symbol.asyncDispose]();
});
