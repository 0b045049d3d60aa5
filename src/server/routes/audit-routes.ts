import { z } from "zod";
import { TaskId } from "../../domain/task/task.ts";
import { readAudit } from "../../store/audit.ts";
import type { Store } from "../../store/store.ts";
import { jsonRoute, NOTHING, type Route } from "./route.ts";

const Entry = z.object({
  number: z.int(),
  at: z.int(),
  action: z.string(),
  by: z.string(),
  task: z.string().nullable(),
  request: z.string().nullable(),
  detail: z.string(),
});

/** Who decided, asked for and was refused what. */
export function auditRoutes(store: Store): Route[] {
  return [
    jsonRoute(
      {
        method: "get",
        path: "/audit",
        scope: "admin",
        summary: "approvals, refusals, deliveries and requests, newest first",
        params: NOTHING,
        query: z.strictObject({
          before: z.coerce.number().int().positive().optional(),
          limit: z.coerce.number().int().min(1).max(1000).default(100),
          task: TaskId.optional(),
        }),
        body: NOTHING,
        answers: z.object({ entries: z.array(Entry) }),
      },
      async ({ query }) => ({ entries: await readAudit(store, query) }),
    ),
  ];
}
