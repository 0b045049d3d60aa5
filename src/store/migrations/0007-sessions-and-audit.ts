import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds who is signed in at a page, what was decided, refused and delivered by whom, and how long an answer holds. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("sessions")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("token_hash", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("audit")
    .addColumn("number", "bigint", (column) => column.primaryKey())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("action", "text", (column) => column.notNull())
    .addColumn("by_whom", "text", (column) => column.notNull())
    .addColumn("task_id", "text")
    .addColumn("request", "text")
    .addColumn("detail", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("audit_by_task").on("audit").columns(["task_id", "number"]).execute();
  await db.schema.alterTable("jobs").addColumn("request", "text").execute();
  await db.schema
    .alterTable("approvals")
    .addColumn("holds", "text", (column) => column.notNull().defaultTo("once"))
    .execute();
}
