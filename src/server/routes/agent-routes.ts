import { z } from "zod";
import { TaskState } from "../../app/task-state.ts";
import { Role } from "../../domain/message.ts";
import { TaskId } from "../../domain/task/task.ts";
import { AgentStatus, type Agents } from "../tasks/agents.ts";
import { jsonRoute, NOTHING, type Route } from "./route.ts";
import { flagsOf, Goal } from "./task-routes.ts";

const RolePath = z.strictObject({ role: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/) });

/** Roles as the service's API calls them: agents. */
export function agentRoutes(agents: Agents): Route[] {
  return [
    jsonRoute(
      {
        method: "post",
        path: "/agent/{role}/task",
        scope: "run",
        summary: "have one role work on a goal: the planner, the coder without a plan, or another one that answers",
        params: RolePath,
        query: NOTHING,
        body: Goal,
        status: 202,
        answers: z.object({ task_id: TaskId, role: Role, status: TaskState }),
      },
      async ({ params, body }) => {
        const { goal, directory, apply } = body;
        const { id, state } = await agents.hand(params.role, { goal, directory, apply, flags: flagsOf(body) });
        return { task_id: id, role: Role.parse(params.role), status: state };
      },
    ),
    jsonRoute(
      {
        method: "get",
        path: "/agent/{role}/task/{id}",
        scope: "read",
        summary: "what a role answered, in its own form; a plan is the planner's, the coder's work is the task's diff",
        params: RolePath.extend({ id: TaskId }),
        query: NOTHING,
        body: NOTHING,
        answers: z.object({ task_id: TaskId, role: Role, status: TaskState, result: z.unknown() }),
      },
      async ({ params }) => {
        const { role, task, result } = await agents.answer(params.role, params.id);
        return { task_id: task.id, role, status: task.state, result };
      },
    ),
    jsonRoute(
      {
        method: "get",
        path: "/agent/{role}/status",
        scope: "read",
        summary: "what a role does now, and did in the last 30 days",
        params: RolePath,
        query: NOTHING,
        body: NOTHING,
        answers: AgentStatus,
      },
      ({ params }) => agents.status(params.role),
    ),
  ];
}
