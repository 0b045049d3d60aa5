import { z } from "zod";
import { parseDuration } from "../../config/duration.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import { Role } from "../../domain/message.ts";
import { LONGEST_MESSAGE } from "../../domain/plan/amendment.ts";
import { TaskId, TaskStatus } from "../../domain/task/task.ts";
import { Job, WishedLabels } from "../../queue/job.ts";
import type { EventStreams } from "../events/event-streams.ts";
import { TaskView } from "../tasks/task-view.ts";
import type { Tasks } from "../tasks/tasks.ts";
import { jsonRoute, NOTHING, type Route, textRoute } from "./route.ts";

/** Longer goals belong into a file of the project. */
const LONGEST_GOAL = 100_000;

export const words = (longest: number) =>
  z
    .string()
    .max(longest)
    .transform((text) => text.replaceAll("\0", "").trim().toWellFormed())
    .pipe(z.string().min(1, "say it in words"));

/** A goal, and what one may say about how it is worked on. Nothing here widens what the settings allow. */
export const Goal = z.strictObject({
  goal: words(LONGEST_GOAL),
  directory: z.string().optional().describe("The name of one of the server's directories; needed if it has several"),
  apply: z.boolean().optional().describe("False: the result is kept and not written into the directory"),
  effort: z.enum(["quick", "standard", "thorough"]).optional(),
  accept: z.array(z.string().min(1)).max(20).optional().describe("Commands whose success is accepted as proof"),
  maxCost: z.number().nonnegative().optional().describe("Dollars"),
  maxTokens: z.int().positive().optional(),
  timeout: z
    .string()
    .refine((text) => parseDuration(text) !== undefined, "expected a duration like 90s, 10m or 2h")
    .optional(),
});

export const TaskPath = z.strictObject({ id: TaskId });

const Page = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(20),
  before: TaskId.optional().describe("The page behind this task: `next` of the page before"),
  status: TaskStatus.optional(),
  directory: z.string().optional(),
  search: z.string().min(1).max(200).optional().describe("Words of the goal"),
});

/** What is different from the fork on. */
const Fork = z.strictObject({
  at: z.int().nonnegative().describe("The number of the first step that is done anew"),
  model: z.string().max(200).optional().describe("Another model for every role: provider/name"),
  models: z
    .array(z.strictObject({ role: Role, model: z.string().max(200) }))
    .max(20)
    .default([]),
  prompts: z
    .array(z.strictObject({ role: Role, text: words(LONGEST_GOAL) }))
    .max(20)
    .default([]),
  apply: z.boolean().default(false).describe("Write the result into the directory when it is proven"),
});

/** How a goal waits for its turn. */
const Turn = Job.pick({ priority: true }).extend({ labels: WishedLabels }).partial();

const Position = z.strictObject({ after: z.coerce.number().int().nonnegative().optional() });

/** Only what was given; the settings say the rest. */
export function flagsOf(given: Omit<z.output<typeof Goal>, "goal" | "directory" | "apply">): ConfigFlags {
  const { effort, accept, maxCost, maxTokens, timeout } = given;
  return {
    ...(effort !== undefined && { effort }),
    ...(accept !== undefined && { accept }),
    ...(maxCost !== undefined && { maxCost }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(timeout !== undefined && { timeout }),
  };
}

export function taskRoutes(tasks: Tasks, streams: EventStreams, directories: string[]): Route[] {
  const act = (name: "cancel" | "pause" | "resume", summary: string): Route =>
    jsonRoute(
      {
        method: "post",
        path: `/tasks/{id}/${name}`,
        scope: "run",
        summary,
        params: TaskPath,
        query: NOTHING,
        body: NOTHING,
        status: 202,
        answers: TaskView,
      },
      ({ params }) => tasks[name](params.id),
    );
  return [
    jsonRoute(
      {
        method: "get",
        path: "/directories",
        scope: "read",
        summary: "the directories that this server works for, by name",
        params: NOTHING,
        query: NOTHING,
        body: NOTHING,
        answers: z.object({ directories: z.array(z.string()) }),
      },
      async () => ({ directories }),
    ),
    jsonRoute(
      {
        method: "post",
        path: "/tasks",
        scope: "run",
        summary: "work on a goal",
        params: NOTHING,
        query: NOTHING,
        body: Goal.extend(Turn.shape),
        status: 201,
        answers: TaskView,
      },
      ({ body: { goal, directory, apply, priority, labels, ...given } }) => {
        const wishes = { ...(priority !== undefined && { priority }), ...(labels && { labels }) };
        return tasks.create({ goal, directory, apply, flags: flagsOf(given), wishes }, "work");
      },
    ),
    jsonRoute(
      {
        method: "get",
        path: "/tasks",
        scope: "read",
        summary: "tasks, newest first",
        params: NOTHING,
        query: Page,
        body: NOTHING,
        answers: z.object({ tasks: z.array(TaskView), next: TaskId.nullable() }),
      },
      ({ query: { limit, before, status, directory, search } }) =>
        tasks.list({
          limit,
          ...(before !== undefined && { before }),
          ...(status && { status }),
          ...(directory !== undefined && { directory }),
          ...(search !== undefined && { search }),
        }),
    ),
    jsonRoute(
      {
        method: "get",
        path: "/tasks/{id}",
        scope: "read",
        summary: "one task",
        params: TaskPath,
        query: NOTHING,
        body: NOTHING,
        answers: TaskView,
      },
      ({ params }) => tasks.show(params.id),
    ),
    textRoute(
      {
        method: "get",
        path: "/tasks/{id}/events",
        scope: "read",
        summary:
          "everything that happened and happens, as server-sent events; Last-Event-ID or `after` says from where",
        params: TaskPath,
        query: Position,
        body: NOTHING,
        media: "text/event-stream",
      },
      async ({ params, query, headers, signal }) => {
        const { id } = await tasks.find(params.id);
        const last = Position.parse({ after: headers.get("last-event-id") || undefined });
        return streams.follow(id, last.after ?? query.after ?? 0, signal);
      },
    ),
    act("cancel", "end a task for good, and take back what it wrote"),
    act("pause", "stop at the next step; it can be resumed"),
    act("resume", "go on with a task that is paused, waits or was interrupted"),
    jsonRoute(
      {
        method: "post",
        path: "/tasks/{id}/tell",
        scope: "run",
        summary: "say something to a task: it becomes part of its spec",
        params: TaskPath,
        query: NOTHING,
        body: z.strictObject({ message: words(LONGEST_MESSAGE) }),
        status: 202,
        answers: z.object({ number: z.int().describe("Of the event that says so") }),
      },
      async ({ params, body, caller }) => {
        const { number } = await tasks.tell(params.id, body.message, caller.name);
        return { number };
      },
    ),
    jsonRoute(
      {
        method: "post",
        path: "/tasks/{id}/continue",
        scope: "run",
        summary: "a new task that goes on from this one's result",
        params: TaskPath,
        query: NOTHING,
        body: Goal.omit({ directory: true }),
        status: 201,
        answers: TaskView,
      },
      ({ params, body }) => tasks.continue(params.id, { goal: body.goal, apply: body.apply, flags: flagsOf(body) }),
    ),
    jsonRoute(
      {
        method: "post",
        path: "/tasks/{id}/fork",
        scope: "run",
        summary: "a new task that shares this one's past up to a step, and does that step anew",
        params: TaskPath,
        query: NOTHING,
        body: Fork,
        status: 201,
        answers: TaskView,
      },
      ({ params, body: { at, model, models, prompts, apply } }) =>
        tasks.fork(params.id, at, {
          models: [
            ...(model === undefined ? [] : [{ roles: Role.options, name: model }]),
            ...models.map(({ role, model: name }) => ({ roles: [role], name })),
          ],
          prompts: Object.fromEntries(prompts.map(({ role, text }) => [role, text])),
          apply,
        }),
    ),
    jsonRoute(
      {
        method: "post",
        path: "/tasks/{id}/apply",
        scope: "run",
        summary: "write the result into the directory",
        params: TaskPath,
        query: NOTHING,
        body: z.strictObject({ unproven: z.boolean().default(false).describe("Also one that is not proven") }),
        answers: TaskView,
      },
      ({ params, body, signal }) => tasks.apply(params.id, body.unproven, signal),
    ),
    jsonRoute(
      {
        method: "post",
        path: "/tasks/{id}/undo",
        scope: "run",
        summary: "take back what was written into the directory",
        params: TaskPath,
        query: NOTHING,
        body: z.strictObject({ force: z.boolean().default(false).describe("Also over files that were changed since") }),
        answers: TaskView,
      },
      ({ params, body, signal }) => tasks.undo(params.id, body.force, signal),
    ),
  ];
}
