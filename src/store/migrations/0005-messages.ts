import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds the messages that a person sends to a running task. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("messages")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("number", "integer", (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("said_by", "text", (column) => column.notNull())
    .addColumn("told_at", "bigint", (column) => column.notNull())
    .addColumn("heard_at", "bigint")
    .execute();
  await db.schema.createIndex("messages_by_task").on("messages").columns(["task_id", "number"]).execute();
}
