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

test("the tables of the source documents have their columns", async () => {
  const file = join(temporaryDirectory(), "miracle.db");
  await (await Store.open(sqliteDialect(file)))[Symbol.asyncDispose]();
  using database = new DatabaseSync(file, { readOnly: true });
  const columns = (table: string) =>
    database
      .prepare("select name from pragma_table_info(?)")
      .all(table)
      .map(({ name }) => name);
  const wanted = {
    tasks: ["id", "description", "status", "iterations", "final_code"],
    iterations: ["task_id", "iteration_num", "phase", "code_snapshot", "test_results", "error_message"].concat([
      "reflection",
      "hypothesis",
      "tokens_used",
      "duration_seconds",
    ]),
    // Their embeddings stand in the index of memory.
    failures: ["error_signature", "error_type", "solution", "code_context", "task_description", "fix_description"],
    patterns: ["problem_type", "code_template", "test_template", "usage_count", "success_rate"],
    metrics: ["task_id", "metric_type", "value", "metadata"],
    approvals: ["task_id", "subject", "status"],
  };
  for (const [table, names] of Object.entries(wanted))
    expect(columns(table), table).toEqual(expect.arrayContaining(names));
});
