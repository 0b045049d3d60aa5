import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { addAudit, countAudit, pruneAudit, readAudit } from "./audit.ts";
import { sqliteDialect } from "./sqlite.ts";
import { Store } from "./store.ts";

test("old entries of the audit go, an entry says so, and no number is given twice", async () => {
  await using store = await Store.open(sqliteDialect(join(temporaryDirectory(), "miracle.db")));
  const add = (at: number) =>
    store.write((tx) => addAudit(tx, { at, action: "request", by: "ada", task: null, request: null, detail: "x" }));
  for (const at of [10, 20, 30]) await add(at);
  expect(await countAudit(store, 30)).toBe(2);
  expect(await pruneAudit(store, 30, { by: "bob", at: 40 })).toBe(2);
  const left = await readAudit(store, { limit: 10 });
  expect(left).toMatchObject([
    { number: 4, action: "audit-pruned", by: "bob", at: 40, detail: "2 older than 1970-01-01T00:00:00.030Z" },
    { number: 3, at: 30 },
  ]);
  expect(await pruneAudit(store, 30, { by: "bob", at: 50 })).toBe(0);
  // Also where everything that was there has gone.
  expect(await pruneAudit(store, 45, { by: "bob", at: 60 })).toBe(2);
  expect(await add(70)).toBe(6);
});
