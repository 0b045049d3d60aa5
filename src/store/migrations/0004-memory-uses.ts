import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds the use of memory: each search, which record reached which iteration, and which step wrote what. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("memory_recalls")
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("todo", "text", (column) => column.notNull())
    .addColumn("iteration_num", "integer", (column) => column.notNull())
    .addColumn("cause", "text", (column) => column.notNull())
    .addColumn("found", "integer", (column) => column.notNull())
    .addColumn("tokens", "integer", (column) => column.notNull())
    .addColumn("won", "integer")
    .addColumn("tokens_used", "integer")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("memory_recalls_key", ["task_id", "todo", "iteration_num"])
    .execute();
  await db.schema
    .createTable("memory_uses")
    .addColumn("record_id", "text", (column) => column.notNull())
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("todo", "text", (column) => column.notNull())
    .addColumn("iteration_num", "integer", (column) => column.notNull())
    .addColumn("shown", "integer", (column) => column.notNull())
    .addColumn("tokens", "integer", (column) => column.notNull())
    .addColumn("won", "integer")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("memory_uses_key", ["record_id", "task_id", "todo", "iteration_num"])
    .execute();
  await db.schema.createIndex("memory_uses_by_task").on("memory_uses").columns(["task_id", "todo"]).execute();
  await db.schema
    .createTable("memory_writes")
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("step", "text", (column) => column.notNull())
    .addColumn("kept", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("memory_writes_key", ["task_id", "step"])
    .execute();
}
