import { z } from "zod";
import { TaskState } from "../../app/task-state.ts";
import { fail } from "../../domain/failure.ts";
import { TaskId } from "../../domain/task/task.ts";
import { Question, type Questions } from "../tasks/questions.ts";
import type { TaskContents } from "../tasks/task-contents.ts";
import type { Tasks } from "../tasks/tasks.ts";
import { TodoItem, TodoList, toTodoList } from "../tasks/todo-list.ts";
import { LONGEST_REASON } from "./approval-routes.ts";
import { jsonRoute, NOTHING, type Route } from "./route.ts";
import { flagsOf, Goal, TaskPath, words } from "./task-routes.ts";

const WorkflowPath = z.strictObject({ workflow_id: TaskId });
const Started = z.object({ workflow_id: TaskId, status: TaskState });

const Status = z.object({
  ...Started.shape,
  phase: z.string(),
  todos: z.array(TodoItem),
  approvals: z.array(Question),
  iterations: z.int(),
  llm_cost: z.number().describe("Dollars"),
});

/** Planner and orchestrator: other names for what tasks can do. */
export function workflowRoutes(tasks: Tasks, contents: TaskContents, questions: Questions): Route[] {
  const act = (name: "cancel" | "resume", summary: string): Route =>
    jsonRoute(
      {
        method: "post",
        path: `/orchestrator/${name}/{workflow_id}`,
        scope: "run",
        summary,
        params: WorkflowPath,
        query: NOTHING,
        body: NOTHING,
        status: 202,
        answers: Started,
      },
      async ({ params }) => started(await tasks[name](params.workflow_id)),
    );
  return [
    jsonRoute(
      {
        method: "post",
        path: "/planner/plan",
        scope: "run",
        summary: "make a todo list for a goal, without executing it",
        params: NOTHING,
        query: NOTHING,
        body: Goal,
        status: 202,
        answers: TodoList,
      },
      async ({ body }) => {
        const { goal, directory, apply } = body;
        return toTodoList(await tasks.create({ goal, directory, apply, flags: flagsOf(body) }, "plan"), null);
      },
    ),
    jsonRoute(
      {
        method: "get",
        path: "/planner/todo_list/{id}",
        scope: "read",
        summary: "a todo list with the status of each todo; empty while it is being planned",
        params: TaskPath,
        query: NOTHING,
        body: NOTHING,
        answers: TodoList,
      },
      async ({ params }) => toTodoList(await tasks.show(params.id), await contents.plan(params.id)),
    ),
    jsonRoute(
      {
        method: "post",
        path: "/orchestrator/execute",
        scope: "run",
        summary: "execute a todo list",
        params: NOTHING,
        query: NOTHING,
        body: z.strictObject({ todo_list_id: TaskId }),
        status: 202,
        answers: Started,
      },
      async ({ body: { todo_list_id } }) => {
        if ((await contents.plan(todo_list_id)) === null) {
          throw fail("invalid-input", "task.no-plan", `todo list ${todo_list_id} is not planned yet`);
        }
        return started(await tasks.resume(todo_list_id));
      },
    ),
    jsonRoute(
      {
        method: "get",
        path: "/orchestrator/status/{workflow_id}",
        scope: "read",
        summary: "where a workflow stands, with its todos and open questions",
        params: WorkflowPath,
        query: NOTHING,
        body: NOTHING,
        answers: Status,
      },
      async ({ params: { workflow_id } }) => {
        const view = await tasks.show(workflow_id);
        const { todos } = toTodoList(view, await contents.plan(workflow_id));
        const approvals = await questions.list({ task: workflow_id, answered: false });
        const { phase, iterations, costMicros } = view;
        return { ...started(view), phase, todos, approvals, iterations, llm_cost: costMicros / 1_000_000 };
      },
    ),
    jsonRoute(
      {
        method: "post",
        path: "/orchestrator/approve/{workflow_id}",
        scope: "approve",
        summary: "answer a question of a workflow; `approval_id` may be left out where it has only one",
        params: WorkflowPath,
        query: NOTHING,
        body: z.strictObject({
          approved: z.boolean().default(true),
          reason: z.string().max(LONGEST_REASON).default(""),
          approval_id: z.string().optional(),
        }),
        answers: Question,
      },
      async ({ params: { workflow_id }, body, caller }) => {
        const open = await questions.list({ task: workflow_id, answered: true });
        const id = body.approval_id ?? (await questions.onlyOne(workflow_id));
        if (!open.some((question) => question.id === id)) {
          throw fail("invalid-input", "approval.unknown", `workflow ${workflow_id} has no question ${id}`);
        }
        return questions.answer(id, { granted: body.approved, reason: body.reason, by: caller.name, holds: "once" });
      },
    ),
    jsonRoute(
      {
        method: "post",
        path: "/orchestrator/task/{task_id}/result",
        scope: "run",
        summary:
          "hand in what was found or done elsewhere: it answers the question that the task waits with, or is told to it",
        params: z.strictObject({ task_id: TaskId }),
        query: NOTHING,
        body: z.strictObject({
          result: words(LONGEST_REASON).describe("In words: what was done, found or decided"),
          status: z.enum(["done", "failed"]).default("done"),
        }),
        status: 202,
        answers: z.object({ task_id: TaskId, taken: z.enum(["answer", "message"]) }),
      },
      async ({ params: { task_id }, body: { result, status }, caller }) => {
        const open = await questions.list({ task: task_id, answered: false });
        const asked = open.find(({ subject }) => subject === "question");
        if (asked)
          await questions.answer(asked.id, {
            granted: status === "done",
            reason: result,
            by: caller.name,
            holds: "once",
          });
        else await tasks.tell(task_id, status === "done" ? result : `failed: ${result}`, caller.name);
        return { task_id, taken: asked ? ("answer" as const) : ("message" as const) };
      },
    ),
    act("cancel", "end a workflow for good, and take back what it wrote"),
    act("resume", "go on with a workflow that is paused, waits or was interrupted"),
  ];
}

const started = ({ id, state }: { id: string; state: z.infer<typeof TaskState> }) => ({
  workflow_id: id,
  status: state,
});
