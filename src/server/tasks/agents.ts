import { z } from "zod";
import { TaskState } from "../../app/task-state.ts";
import { fail } from "../../domain/failure.ts";
import { Role } from "../../domain/message.ts";
import { GoalSize } from "../../domain/plan/plan.ts";
import { writePlan } from "../../domain/plan/write-plan.ts";
import { EventBody } from "../../domain/task/event.ts";
import { TaskId } from "../../domain/task/task.ts";
import { readUsage } from "../../store/metrics.ts";
import type { TaskView } from "./task-view.ts";
import type { NewTask, Tasks } from "./tasks.ts";

const WINDOW_MS = 30 * 86_400_000;

/** What a role does now, and did in the last 30 days. */
export const AgentStatus = z.object({
  role: Role,
  status: z.enum(["busy", "idle"]),
  tasks: z.array(z.object({ task_id: TaskId, status: TaskState })).describe("Those that it spoke in last"),
  calls: z.int(),
  tokens: z.int(),
  llm_cost: z.number().describe("Dollars"),
});

/** Roles, asked by their names. */
export class Agents {
  readonly #tasks: Tasks;

  constructor(tasks: Tasks) {
    this.#tasks = tasks;
  }

  /**
   * A task that one role works on: the planner makes a plan and stops there, the coder works on the goal without one, and
   * every other role answers in its own form.
   */
  async hand(name: string, wanted: NewTask): Promise<TaskView> {
    const role = roleOf(name);
    if (role === "planner") return this.#tasks.create(wanted, "plan");
    if (role === "coder") return this.#tasks.create({ ...wanted, flags: { ...wanted.flags, direct: true } }, "work");
    return this.#tasks.create({ ...wanted, role }, "work");
  }

  /** What a role made of a task that it was handed; null as long as there is nothing. */
  async answer(name: string, id: string): Promise<{ role: Role; task: TaskView; result: unknown }> {
    const role = roleOf(name);
    const task = await this.#tasks.show(id);
    const row = await this.#tasks.store.read
      .selectFrom("events")
      .select("body")
      .where("task_id", "=", id)
      .where("type", "=", role === "planner" ? "plan-made" : "role-answered")
      .orderBy("number", "desc")
      .limit(1)
      .executeTakeFirst();
    const body = row && EventBody.parse(JSON.parse(row.body));
    if (body?.type === "plan-made") {
      const { size, spec, plan, relevantFiles = [] } = body;
      return { role, task, result: writePlan({ size: GoalSize.parse(size), spec, plan, relevantFiles }) };
    }
    return { role, task, result: body?.type === "role-answered" && body.role === role ? body.result : null };
  }

  async status(name: string): Promise<z.infer<typeof AgentStatus>> {
    const role = roleOf(name);
    const { store } = this.#tasks;
    const { tasks } = await this.#tasks.list({ limit: 200, status: "running" });
    const busy: TaskView[] = [];
    for (const task of tasks) {
      if (task.state === "running" && (await this.#lastSpeaker(task.id)) === role) busy.push(task);
    }
    const used = (await readUsage(store, { since: Date.now() - WINDOW_MS }, "role")).get(role);
    return {
      role,
      status: busy.length > 0 ? "busy" : "idle",
      tasks: busy.map(({ id, state }) => ({ task_id: id, status: state })),
      calls: used?.calls ?? 0,
      tokens: (used?.inputTokens ?? 0) + (used?.outputTokens ?? 0),
      llm_cost: (used?.costMicros ?? 0) / 1_000_000,
    };
  }

  async #lastSpeaker(task: string): Promise<string | undefined> {
    const row = await this.#tasks.store.read
      .selectFrom("events")
      .select("body")
      .where("task_id", "=", task)
      .where("type", "=", "model-called")
      .orderBy("number", "desc")
      .limit(1)
      .executeTakeFirst();
    return row && z.object({ role: z.string() }).parse(JSON.parse(row.body)).role;
  }
}

function roleOf(name: string): Role {
  const role = Role.safeParse(name);
  if (role.success) return role.data;
  throw fail("invalid-input", "agent.unknown", `there is no role ${name}; roles are ${Role.options.join(", ")}`);
}
