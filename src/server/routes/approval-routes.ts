import { z } from "zod";
import { TaskId } from "../../domain/task/task.ts";
import { Refusal } from "../access/problem.ts";
import { mayDo } from "../access/tokens.ts";
import { Holds, Question, type Questions } from "../tasks/questions.ts";
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
          holds: Holds.default("once").describe(
            "task: for all questions of its subject in this task; always: for the very same in every task of this directory (scope admin)",
          ),
        }),
        answers: Question,
      },
      ({ params, body, caller }) => {
        // A rule outlives the task that it was asked for.
        if (body.holds === "always" && !mayDo(caller, "admin")) {
          throw new Refusal(
            403,
            "token.scope",
            `token ${caller.name} has no scope admin, which a rule for always needs`,
          );
        }
        return questions.answer(params.id, { ...body, by: caller.name });
      },
    ),
  ];
}
