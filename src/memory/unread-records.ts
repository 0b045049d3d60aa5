import type { Kysely } from "kysely";
import type { Lesson } from "../domain/memory/lesson.ts";
import type { Pattern } from "../domain/memory/pattern.ts";
import type { Tables } from "../store/tables.ts";
import type { IndexFilter, MemoryIndex } from "./memory-index.ts";
import { toLesson, toPattern } from "./memory-rows.ts";

/** Before a search only records of the last few tasks are checked. `reindex` makes the rest. */
const NEWEST = 16;

/** The newest records that this model has not read, because they were kept before it was loaded. */
export async function unreadRecords(
  db: Kysely<Tables>,
  index: MemoryIndex,
  model: string,
  filter: IndexFilter,
): Promise<(Lesson | Pattern)[]> {
  const records = await newestRecords(db, filter, NEWEST);
  const read = await index.vectors(
    [model],
    records.map(({ id }) => id),
  );
  const ids = new Set(read.map(({ id }) => id));
  return records.filter(({ id }) => !ids.has(id));
}

/** The newest records with content, newest first. */
export async function newestRecords(
  db: Kysely<Tables>,
  { kind, audiences }: IndexFilter,
  limit: number,
): Promise<(Lesson | Pattern)[]> {
  return kind === "lesson" ? newestLessons(db, audiences, limit) : newestPatterns(db, audiences, limit);
}

async function newestLessons(
  db: Kysely<Tables>,
  audiences: IndexFilter["audiences"],
  limit: number,
): Promise<Lesson[]> {
  let query = db
    .selectFrom("failures")
    .selectAll()
    .where("status", "=", "active")
    .where((eb) => eb.or([eb("solution", "is not", null), eb("fix_description", "is not", null)]))
    .orderBy("updated_at", "desc")
    .orderBy("id")
    .limit(limit);
  if (audiences !== "any") query = query.where("audience", "in", [...audiences]);
  return (await query.execute()).map(toLesson);
}

async function newestPatterns(
  db: Kysely<Tables>,
  audiences: IndexFilter["audiences"],
  limit: number,
): Promise<Pattern[]> {
  let query = db
    .selectFrom("patterns")
    .selectAll()
    .where("status", "=", "active")
    .orderBy("updated_at", "desc")
    .orderBy("id")
    .limit(limit);
  if (audiences !== "any") query = query.where("audience", "in", [...audiences]);
  return (await query.execute()).map(toPattern);
}
