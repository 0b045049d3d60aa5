import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds the kind of project to tasks, and takes away where no embedding ever stood: the index of memory has them. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("tasks").addColumn("project_type", "text").execute();
  for (const table of ["failures", "patterns"]) {
    for (const column of ["embedding", "embedding_model"])
      await db.schema.alterTable(table).dropColumn(column).execute();
  }
}
