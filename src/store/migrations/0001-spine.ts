import type { Kysely } from "kysely";
import type { ColumnTypes } from "../dialect.ts";
import type { Tables } from "../tables.ts";

export async function up(db: Kysely<Tables>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("blobs")
    .addColumn("hash", "text", (column) => column.primaryKey().notNull())
    .addColumn("bytes", types.bytes, (column) => column.notNull())
    .modifyEnd(types.clustered)
    .execute();
  await db.schema
    .createTable("tasks")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("description", "text", (column) => column.notNull())
    .addColumn("directory", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("phase", "text", (column) => column.notNull())
    .addColumn("frozen_hash", "text", (column) => column.notNull())
    .addColumn("parent_id", "text")
    .addColumn("iterations", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("base_tree", "text")
    .addColumn("final_code", "text")
    .addColumn("failure", "text")
    .addColumn("epoch", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("owner", "text")
    .addColumn("wish", "text")
    .addColumn("step_count", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("event_count", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("spent_micros", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("spent_tokens", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("tasks_by_time").on("tasks").columns(["created_at", "id"]).execute();
  await db.schema
    .createTable("generations")
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("strand", "text", (column) => column.notNull())
    .addColumn("generation", "integer", (column) => column.notNull())
    .addColumn("start", "integer", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("generations_key", ["task_id", "strand", "generation"])
    .execute();
  await db.schema
    .createTable("steps")
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("strand", "text", (column) => column.notNull())
    .addColumn("generation", "integer", (column) => column.notNull())
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("sequence", "integer", (column) => column.notNull())
    .addColumn("path", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("input_hash", "text", (column) => column.notNull())
    .addColumn("outcome", "text", (column) => column.notNull())
    .addColumn("output_hash", "text", (column) => column.notNull())
    .addColumn("started_at", "bigint", (column) => column.notNull())
    .addColumn("ended_at", "bigint", (column) => column.notNull())
    .addColumn("previous_hash", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("steps_key", ["task_id", "strand", "generation", "position"])
    .modifyEnd(types.clustered)
    .execute();
  await db.schema
    .createTable("events")
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("number", "integer", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("step", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("events_key", ["task_id", "number"])
    .modifyEnd(types.clustered)
    .execute();
  await db.schema
    .createTable("reservations")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("path", "text", (column) => column.notNull())
    .addColumn("micros", "bigint", (column) => column.notNull())
    .addColumn("tokens", "bigint", (column) => column.notNull())
    .addColumn("settled", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("reservations_of_task").on("reservations").column("task_id").execute();
  await db.schema
    .createTable("iterations")
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("todo", "text", (column) => column.notNull())
    .addColumn("iteration_num", "integer", (column) => column.notNull())
    .addColumn("phase", "text", (column) => column.notNull())
    .addColumn("code_snapshot", "text")
    .addColumn("test_results", "text")
    .addColumn("error_message", "text")
    .addColumn("reflection", "text")
    .addColumn("hypothesis", "text")
    .addColumn("tokens_used", "integer", (column) => column.notNull())
    .addColumn("duration_seconds", "real", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("iterations_key", ["task_id", "todo", "iteration_num"])
    .execute();
  await db.schema
    .createTable("failures")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("error_signature", "text", (column) => column.notNull())
    .addColumn("error_type", "text", (column) => column.notNull())
    .addColumn("task_description", "text", (column) => column.notNull())
    .addColumn("failed_code", "text")
    .addColumn("code_context", "text")
    .addColumn("solution", "text")
    .addColumn("fix_description", "text")
    .addColumn("embedding", types.bytes)
    .addColumn("embedding_model", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("failures_by_signature").on("failures").column("error_signature").execute();
  await db.schema
    .createTable("patterns")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("problem_type", "text", (column) => column.notNull())
    .addColumn("description", "text", (column) => column.notNull())
    .addColumn("code_template", "text", (column) => column.notNull())
    .addColumn("test_template", "text", (column) => column.notNull())
    .addColumn("usage_count", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("success_rate", "real", (column) => column.notNull().defaultTo(0))
    .addColumn("embedding", types.bytes)
    .addColumn("embedding_model", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("metrics")
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("metric_type", "text", (column) => column.notNull())
    .addColumn("value", "real", (column) => column.notNull())
    .addColumn("metadata", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("metrics_of_task").on("metrics").column("task_id").execute();
  await db.schema
    .createTable("approvals")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("context", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("answered_by", "text")
    .addColumn("reason", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("answered_at", "bigint")
    .execute();
}
