import { type Selectable, sql } from "kysely";
import { fail } from "../domain/failure.ts";
import { ANSWERING, type TaskStatus, TaskSummary } from "../domain/task/task.ts";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";

export interface TaskPage {
  tasks: TaskSummary[];
  /** Pass it as `before` for the next page; absent on the last one. */
  next: { createdAt: number; id: string } | undefined;
}

export interface TaskFilter {
  /** Only tasks of these. */
  directories?: string[];
  status?: TaskStatus;
  /** Words of the goal. */
  search?: string;
}

/** Newest first. The cost is that of one page, however long the history is. */
export async function listTasks(
  store: Store,
  options: TaskFilter & { limit: number; before?: { createdAt: number; id: string } },
): Promise<TaskPage> {
  let query = store.read.selectFrom("tasks").selectAll().orderBy("created_at", "desc").orderBy("id", "desc");
  const { before, limit, directories, status, search } = options;
  if (directories) query = query.where("directory", "in", directories);
  if (status) query = query.where("status", "=", status);
  if (search) query = query.where(sql<boolean>`lower(description) like ${containing(search)} escape '!'`);
  if (before) {
    query = query.where((eb) =>
      eb.or([
        eb("created_at", "<", before.createdAt),
        eb.and([eb("created_at", "=", before.createdAt), eb("id", "<", before.id)]),
      ]),
    );
  }
  const rows = await query.limit(limit + 1).execute();
  const tasks = rows.slice(0, limit).map(toSummary);
  const last = tasks.at(-1);
  return { tasks, next: rows.length > limit && last ? { createdAt: last.createdAt, id: last.id } : undefined };
}

const containing = (words: string): string => `%${words.toLowerCase().replace(/[!%_]/g, "!$&")}%`;

/** How many steps of a task are recorded: none, of one that is not there. */
export async function stepsOf(store: Store, task: string): Promise<number> {
  const row = await store.read.selectFrom("tasks").select("step_count").where("id", "=", task).executeTakeFirst();
  return Number(row?.step_count ?? 0);
}

/** The task with this id, or with the only id that starts with these characters. */
export async function findTask(store: Store, id: string): Promise<TaskSummary> {
  const rows = await store.read
    .selectFrom("tasks")
    .selectAll()
    .where("id", ">=", id)
    .where("id", "<", `${id}\uffff`)
    .limit(2)
    .execute();
  const [row] = rows.filter((candidate) => candidate.id === id).concat(rows);
  if (!row) throw fail("invalid-input", "task.unknown", `there is no task ${id}; \`miracle history\` lists them`);
  if (rows.length > 1 && row.id !== id) {
    throw fail("invalid-input", "task.ambiguous", `several tasks start with ${id}; give more of the id`);
  }
  return toSummary(row);
}

/** The newest task, or the newest of a directory. A question that was answered is no work that one goes back to. */
export async function lastTask(store: Store, directory?: string): Promise<TaskSummary> {
  let query = store.read.selectFrom("tasks").selectAll().orderBy("created_at", "desc").orderBy("id", "desc").limit(1);
  query = query.where("phase", "!=", ANSWERING);
  if (directory !== undefined) query = query.where("directory", "=", directory);
  const row = await query.executeTakeFirst();
  if (!row) throw fail("invalid-input", "task.none", 'there is no task yet; `miracle run "a goal"` starts one');
  return toSummary(row);
}

/** Asks the process that works on the task to stop. Returns false if there is none. */
export async function wish(store: Store, id: string, what: "pause" | "cancel"): Promise<boolean> {
  return store.write(async (tx) => {
    const row = await tx
      .updateTable("tasks")
      .set({ wish: what })
      .where("id", "=", id)
      .where("owner", "is not", null)
      .returning("id")
      .executeTakeFirst();
    return row !== undefined;
  });
}

export async function readWish(store: Store, id: string): Promise<string | null> {
  const row = await store.read.selectFrom("tasks").select("wish").where("id", "=", id).executeTakeFirst();
  return row?.wish ?? null;
}

function toSummary(row: Selectable<Tables["tasks"]>): TaskSummary {
  return TaskSummary.parse({
    id: row.id,
    goal: row.description,
    directory: row.directory,
    status: row.status,
    phase: row.phase,
    iterations: Number(row.iterations),
    costMicros: Number(row.spent_micros),
    tokens: Number(row.spent_tokens),
    failure: row.failure === null ? null : JSON.parse(row.failure),
    baseTree: row.base_tree,
    resultTree: row.final_code,
    parent: row.parent_id,
    forkedAt: row.forked_at === null ? null : Number(row.forked_at),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  });
}
