import type { Kysely } from "kysely";
import type { ColumnTypes } from "../dialect.ts";
import type { Tables } from "../tables.ts";

/** Adds the step at which a task forked off another one, and the counts for metrics: rows per task, never per step. */
export async function up(db: Kysely<Tables>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable("tasks").addColumn("forked_at", "integer").execute();
  await db.schema.alterTable("tasks").addColumn("language", "text").execute();
  await db.schema.alterTable("tasks").addColumn("goal_kind", "text").execute();
  await db.schema.alterTable("tasks").addColumn("settled_at", "bigint").execute();
  await db.schema
    .createTable("usage")
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("phase", "text", (column) => column.notNull())
    .addColumn("model", "text", (column) => column.notNull())
    .addColumn("calls", "integer", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("input_tokens", "bigint", (column) => column.notNull())
    .addColumn("cached_tokens", "bigint", (column) => column.notNull())
    .addColumn("output_tokens", "bigint", (column) => column.notNull())
    .addColumn("cost_micros", "bigint", (column) => column.notNull())
    .addColumn("unpriced", "integer", (column) => column.notNull())
    .addColumn("duration_ms", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("usage_key", ["task_id", "role", "phase", "model"])
    .modifyEnd(types.clustered)
    .execute();
  await db.schema
    .createTable("tallies")
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("metric", "text", (column) => column.notNull())
    .addColumn("label", "text", (column) => column.notNull())
    .addColumn("times", "integer", (column) => column.notNull())
    .addColumn("total", "real", (column) => column.notNull())
    .addPrimaryKeyConstraint("tallies_key", ["task_id", "metric", "label"])
    .modifyEnd(types.clustered)
    .execute();
}
