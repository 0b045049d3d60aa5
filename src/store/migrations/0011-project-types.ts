import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds the kind of project to tasks. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("tasks").addColumn("project_type", "text").execute();
}
