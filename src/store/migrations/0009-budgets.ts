import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds for whom a task spends and how far it was promised to be worked on, what people and teams may spend in a month, and what providers can bear. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable("tasks")
    .addColumn("person", "text", (column) => column.notNull().defaultTo(""))
    .execute();
  await db.schema
    .alterTable("tasks")
    .addColumn("purpose", "text", (column) => column.notNull().defaultTo("work"))
    .execute();
  await db.schema
    .createTable("people")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("team", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("budgets")
    .addColumn("holder", "text", (column) => column.primaryKey())
    .addColumn("micros", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("spending")
    .addColumn("holder", "text", (column) => column.notNull())
    .addColumn("month", "text", (column) => column.notNull())
    .addColumn("micros", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("spending_key", ["holder", "month"])
    .execute();
  await db.schema
    .createTable("provider_slots")
    .addColumn("provider", "text", (column) => column.notNull())
    .addColumn("slot", "integer", (column) => column.notNull())
    .addColumn("holder", "text", (column) => column.notNull())
    .addColumn("until", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("provider_slots_key", ["provider", "slot"])
    .execute();
  await db.schema
    .createTable("provider_pauses")
    .addColumn("provider", "text", (column) => column.primaryKey())
    .addColumn("until", "bigint", (column) => column.notNull())
    .execute();
}
