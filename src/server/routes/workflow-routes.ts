import { z } from "zod";
import { fail } from "../../domain/failure.ts";
import type { Event } from "../../domain/task/event.ts";
import { TaskId } from "../../domain/task/task.ts";
import { readEvents } from "../../store/events.ts";
import { type PlanState, planState } from "../tasks/plan-state.ts";
import { Question, type Questions } from "../tasks/questions.ts";
import { TaskState } from "../tasks/task-view.ts";
import type { Tasks } from "../tasks/tasks.ts";
import { TodoItem, TodoList, toTodoList } from "../tasks/todo-list.ts";
import { LONGEST_REASON } from "./approval-routes.ts";
import { jsonRoute, NOTHING, type Route } from "./route.ts";
import { flagsOf, Goal, TaskPath } from "./task-routes.ts";

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
export function workflowRoutes(tasks: Tasks, questions: Questions): Route[] {
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
      async ({ params }) => toTodoList(await tasks.show(params.id), await planOf(tasks, params.id)),
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
        await tasks.find(todo_list_id);
        if ((await planOf(tasks, todo_list_id)) === null) {
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
        const { todos } = toTodoList(view, await planOf(tasks, workflow_id));
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
        return questions.answer(id, { granted: body.approved, reason: body.reason, by: caller.name });
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

async function planOf(tasks: Tasks, id: string): Promise<PlanState | null> {
  const { status } = await tasks.find(id);
  const events: Event[] = [];
  for (;;) {
    const page = await readEvents(tasks.store, id, events.at(-1)?.number ?? 0);
    events.push(...page);
    if (page.length === 0) return planState(events, status);
  }
}
