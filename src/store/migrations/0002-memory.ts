import type { Kysely } from "kysely";
import type { ColumnTypes } from "../dialect.ts";
import type { Tables } from "../tables.ts";

/** Adds audience, origin and key to lessons and patterns. The memory index of each database makes what finds them. */
export async function up(db: Kysely<Tables>, types: ColumnTypes): Promise<void> {
  for (const table of ["failures", "patterns"] as const) {
    for (const [column, initial] of TEXTS) {
      await db.schema
        .alterTable(table)
        .addColumn(column, "text", (definition) => definition.notNull().defaultTo(initial))
        .execute();
    }
    await db.schema
      .alterTable(table)
      .addColumn("trust", "real", (column) => column.notNull().defaultTo(1))
      .execute();
    await db.schema
      .alterTable(table)
      .addColumn("updated_at", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await db
      .updateTable(table)
      .set((eb) => ({ dedup_key: eb.ref("id") }))
      .execute();
    await db.schema.createIndex(`${table}_by_key`).on(table).columns(["audience", "dedup_key"]).unique().execute();
    await db.schema.createIndex(`${table}_by_time`).on(table).columns(["updated_at", "id"]).execute();
  }
  await db.schema
    .alterTable("failures")
    .addColumn("error_text", "text", (column) => column.notNull().defaultTo(""))
    .execute();
  await db.schema
    .alterTable("failures")
    .addColumn("seen", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
  for (const column of ["plan", "interfaces"] as const) {
    await db.schema
      .alterTable("patterns")
      .addColumn(column, "text", (definition) => definition.notNull().defaultTo(""))
      .execute();
  }
  await db.schema
    .createTable("memory_weights")
    .addColumn("version", "integer", (column) => column.primaryKey().notNull())
    .addColumn("records", "integer", (column) => column.notNull())
    .addColumn("counts", types.bytes, (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
}

const TEXTS = [
  ["scope", "project"],
  ["project_id", ""],
  ["language", ""],
  ["audience", "project:"],
  ["origin", "own"],
  ["status", "active"],
  ["dedup_key", ""],
] as const;
