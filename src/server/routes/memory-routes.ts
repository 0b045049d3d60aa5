import { z } from "zod";
import { Lesson } from "../../domain/memory/lesson.ts";
import { MemoryKind, MemoryStatus } from "../../domain/memory/memory-record.ts";
import { Pattern } from "../../domain/memory/pattern.ts";
import type { MemoryRecords } from "../tasks/memory-records.ts";
import { jsonRoute, NOTHING, type Route } from "./route.ts";

const Rate = z.object({ tries: z.int(), wins: z.int() });

const effect = z.object({
  uses: z.int().describe("Tasks for which it was found"),
  shown: Rate,
  heldBack: Rate,
  wins: z.int(),
  uplift: z.number().describe("How much more often tasks win with it than without"),
  interval: z.object({ low: z.number(), high: z.number() }),
  weight: z.number(),
  status: MemoryStatus,
});

const Records = z.object({
  records: z.array(z.discriminatedUnion("kind", [Lesson.extend({ effect }), Pattern.extend({ effect })])),
});

/** What was learnt. */
export function memoryRoutes(memory: MemoryRecords): Route[] {
  return [
    jsonRoute(
      {
        method: "get",
        path: "/memory",
        scope: "read",
        summary: "lessons and patterns, newest first, with what they have done so far",
        params: NOTHING,
        query: z.strictObject({
          kind: MemoryKind.optional(),
          status: MemoryStatus.optional(),
          limit: z.coerce.number().int().min(1).max(1000).default(100),
        }),
        body: NOTHING,
        answers: Records,
      },
      async ({ query }) => ({ records: await memory.list(query) }),
    ),
    jsonRoute(
      {
        method: "post",
        path: "/memory/forget",
        scope: "run",
        summary: "delete records for good",
        params: NOTHING,
        query: NOTHING,
        body: z.strictObject({ ids: z.array(z.string().min(1).max(100)).min(1).max(1000) }),
        answers: z.object({ forgotten: z.int() }),
      },
      async ({ body }) => ({ forgotten: await memory.forget(body.ids) }),
    ),
  ];
}
