import { z } from "zod";
import { TaskId } from "../../domain/task/task.ts";
import { Question, type Questions } from "../tasks/questions.ts";
import { jsonRoute, NOTHING, type Route } from "./route.ts";

export const LONGEST_REASON = 10_000;

const Filter = z.strictObject({
  task: TaskId.optional(),
  answered: z.stringbool().default(false).describe("Also those that are answered"),
});

export function approvalRoutes(questions: Questions): Route[] {
  return [
    jsonRoute(
      {
        method: "get",
        path: "/approvals",
        scope: "read",
        summary: "questions that wait for an answer, oldest first",
        params: NOTHING,
        query: Filter,
        body: NOTHING,
        answers: z.object({ approvals: z.array(Question) }),
      },
      async ({ query }) => ({ approvals: await questions.list(query) }),
    ),
    jsonRoute(
      {
        method: "post",
        path: "/approvals/{id}",
        scope: "approve",
        summary: "answer a question; the first answer counts, and the task goes on",
        params: z.strictObject({ id: z.string().regex(/^a[0-9a-f]{1,64}$/) }),
        query: NOTHING,
        body: z.strictObject({
          granted: z.boolean(),
          reason: z.string().max(LONGEST_REASON).default(""),
          holds: z
            .enum(["once", "task"])
            .default("once")
            .describe("task: for all questions of its subject in this task"),
        }),
        answers: Question,
      },
      ({ params, body, caller }) => questions.answer(params.id, { ...body, by: caller.name }),
    ),
  ];
}
