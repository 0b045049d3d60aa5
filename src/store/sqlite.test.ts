import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { storeConformance } from "../../test/conformance/store.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { sqliteDialect } from "./sqlite.ts";
import { SCHEMA_VERSION, Store } from "./store.ts";

storeConformance("SQLite", () => {
  const file = join(temporaryDirectory(), "miracle.db");
  return { open: () => sqliteDialect(file) };
});

test("a database of a newer version is refused and left alone", async () => {
  const file = join(temporaryDirectory(), "miracle.db");
  const database = new DatabaseSync(file);
  database.exec(`pragma user_version = ${SCHEMA_VERSION + 1}`);
  database.close();
  await expect(Store.open(sqliteDialect(file))).rejects.toMatchObject({ failure: { code: "store.newer" } });
});

test("a file that is no database is refused and left alone", async () => {
  const file = join(temporaryDirectory(), "miracle.db");
  writeFileSync(
    file,
    "this is a shopping list, and a rather long one at that: milk, bread, butter, and so on ".repeat(20),
  );
  await expect(Store.open(sqliteDialect(file))).rejects.toMatchObject({ failure: { code: "store.corrupt" } });
});

test("a place that is no directory is explained", async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "file"), "");
  chmodSync(directory, 0o700);
  const opening = Store.open(sqliteDialect(join(directory, "file", "miracle.db")));
  await expect(opening).rejects.toMatchObject({ failure: { code: "store.unwritable", kind: "environment" } });
});
