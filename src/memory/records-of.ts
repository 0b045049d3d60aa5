import type { Kysely } from "kysely";
import type { Lesson } from "../domain/memory/lesson.ts";
import type { MemoryKind, MemoryStatus } from "../domain/memory/memory-record.ts";
import type { Pattern } from "../domain/memory/pattern.ts";
import type { Tables } from "../store/tables.ts";
import { toLesson, toPattern } from "./memory-rows.ts";

export interface RecordFilter {
  kind?: MemoryKind;
  status?: MemoryStatus;
  audience?: string;
}

const PAGE = 500;

/** Lessons, then patterns, newest first, a page at a time. */
export async function* recordsOf(db: Kysely<Tables>, filter: RecordFilter): AsyncGenerator<Lesson | Pattern> {
  if (filter.kind !== "pattern") {
    yield* pages(async (before) => {
      const rows = await page(db, "failures", filter, before).execute();
      return rows.map((row) => toLesson(row as Parameters<typeof toLesson>[0]));
    });
  }
  if (filter.kind !== "lesson") {
    yield* pages(async (before) => {
      const rows = await page(db, "patterns", filter, before).execute();
      return rows.map((row) => toPattern(row as Parameters<typeof toPattern>[0]));
    });
  }
}

interface Place {
  updatedAt: number;
  id: string;
}

async function* pages<R extends Place>(read: (before: Place | undefined) => Promise<R[]>): AsyncGenerator<R> {
  let before: Place | undefined;
  do {
    const records = await read(before);
    yield* records;
    before = records.length < PAGE ? undefined : records.at(-1);
  } while (before);
}

function page(db: Kysely<Tables>, table: "failures" | "patterns", filter: RecordFilter, before: Place | undefined) {
  let query = db.selectFrom(table).selectAll().orderBy("updated_at", "desc").orderBy("id", "desc").limit(PAGE);
  if (filter.status !== undefined) query = query.where("status", "=", filter.status);
  if (filter.audience !== undefined) query = query.where("audience", "=", filter.audience);
  if (before) {
    query = query.where((eb) =>
      eb.or([
        eb("updated_at", "<", before.updatedAt),
        eb.and([eb("updated_at", "=", before.updatedAt), eb("id", "<", before.id)]),
      ]),
    );
  }
  return query;
}
