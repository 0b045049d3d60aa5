import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds for whom work was promised, what it needs, and who is to do it. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable("jobs")
    .addColumn("person", "text", (column) => column.notNull().defaultTo(""))
    .execute();
  await db.schema
    .alterTable("jobs")
    .addColumn("priority", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable("jobs")
    .addColumn("labels", "text", (column) => column.notNull().defaultTo("[]"))
    .execute();
  await db.schema
    .alterTable("jobs")
    .addColumn("keepers", "text", (column) => column.notNull().defaultTo("servers"))
    .execute();
}
