import { z } from "zod";
import { fail } from "../../domain/failure.ts";
import { TaskId } from "../../domain/task/task.ts";
import { HOLDER, listBudgets, removeBudget, setBudget } from "../../llm/month-budgets.ts";
import type { JobQueue } from "../../queue/job-queue.ts";
import type { Store } from "../../store/store.ts";
import { jsonRoute, NOTHING, type Route } from "./route.ts";

export const QueueView = z.object({
  ready: z.int().describe("Tasks that could begin now"),
  delayed: z.int().describe("Tasks that are tried again after a pause"),
  running: z.int(),
  dead: z.int().describe("Tasks that were given up after their last attempt"),
  oldestMs: z.number().nullable().describe("How long the oldest has been waiting; null: none waits"),
  takeOvers: z.int().describe("Tasks that went on with another worker within a week"),
  workers: z.array(
    z.object({ name: z.string(), labels: z.array(z.string()), tasks: z.array(z.string()), seenAt: z.number() }),
  ),
  deadLetters: z.array(z.object({ task: z.string(), person: z.string(), why: z.string(), at: z.number() })),
});

export const Budgets = z.object({
  budgets: z.array(z.object({ holder: z.string(), limitMicros: z.int().nullable(), spentMicros: z.int() })),
});

/** What concerns all who share a server: the queue, its workers, and what may be spent in a month. */
export function teamRoutes(store: Store, jobs: JobQueue): Route[] {
  const budgets = async () => ({ budgets: await listBudgets(store, Date.now()) });
  return [
    jsonRoute(
      {
        method: "get",
        path: "/queue",
        scope: "read",
        summary: "what waits, who works, and what was given up",
        params: NOTHING,
        query: NOTHING,
        body: NOTHING,
        answers: QueueView,
      },
      async () => {
        const [figures, workers, letters] = [await jobs.figures(), await jobs.workers(), await jobs.deadLetters()];
        const deadLetters = letters.map(({ job: { task, person }, why, at }) => ({ task, person, why, at }));
        return { ...figures, workers, deadLetters };
      },
    ),
    jsonRoute(
      {
        method: "post",
        path: "/queue/{id}/revive",
        scope: "run",
        summary: "try a task again that was given up",
        params: z.strictObject({ id: TaskId }),
        query: NOTHING,
        body: NOTHING,
        answers: z.object({ id: TaskId }),
      },
      async ({ params: { id } }) => {
        if (!(await jobs.revive(id))) throw fail("invalid-input", "task.unknown", `there is no dead letter ${id}`);
        return { id };
      },
    ),
    jsonRoute(
      {
        method: "get",
        path: "/budgets",
        scope: "read",
        summary: "what people and teams have spent in this month, and may",
        params: NOTHING,
        query: NOTHING,
        body: NOTHING,
        answers: Budgets,
      },
      budgets,
    ),
    jsonRoute(
      {
        method: "post",
        path: "/budgets",
        scope: "admin",
        summary: "set what a person, a team or all may spend in a month; null: no limit",
        params: NOTHING,
        query: NOTHING,
        body: z.strictObject({
          holder: z.string().regex(HOLDER).describe("`person:NAME`, `team:NAME` or `all`"),
          limitMicros: z.int().nonnegative().nullable().describe("Millionths of a dollar"),
        }),
        answers: Budgets,
      },
      async ({ body: { holder, limitMicros } }) => {
        if (limitMicros === null) await removeBudget(store, holder);
        else await setBudget(store, holder, limitMicros, Date.now());
        return budgets();
      },
    ),
  ];
}
