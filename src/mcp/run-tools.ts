import { z } from "zod";
import { prepareGoal } from "../app/prepare-goal.ts";
import { isWorkedOn } from "../app/worked-on.ts";
import { fail, TerminalFailure } from "../domain/failure.ts";
import type { TaskSummary } from "../domain/task/task.ts";
import { wish } from "../store/tasks.ts";
import type { LiveRun } from "./runs.ts";
import { findOwnTask, LONGEST_WAIT_S, USUAL_WAIT_S, viewTask, waitFor } from "./task-view.ts";
import type { Tool, ToolAnswer, ToolCall, ToolParts } from "./tool.ts";

const Wait = z
  .number()
  .min(0)
  .max(LONGEST_WAIT_S)
  .default(USUAL_WAIT_S)
  .describe("how many seconds this call waits for the end; the task goes on behind it");
const Task = z.string().describe("the id of a task, as `run` told it");

const RunInput = z.strictObject({
  goal: z.string().describe("what is to be built or mended, in the person's words"),
  directory: z.string().optional().describe("where to work; default: the directory of this server"),
  confirm: z
    .array(z.enum(["plan", "diff"]))
    .default([])
    .describe(
      "ask before going on with the plan, or with the finished change; what the person's settings ask is asked anyway",
    ),
  apply: z.boolean().default(true).describe("false: the result is kept aside until `miracle apply`"),
  wait: Wait,
});

export const runTool = (parts: ToolParts): Tool<z.output<typeof RunInput>> => ({
  name: "run",
  title: "Work on a goal until it is proven",
  description:
    "Starts a task: plan, tests first, code, proof by tests that the coder never saw. Only a proven result is written into " +
    "the directory. Needs a model of the person's and costs money. Takes minutes: where it is not done when the wait is over, " +
    "`task` waits on. A question (plan, diff, packages, …) stops it until it is answered. To cancel this call pauses the task.",
  input: RunInput,
  readOnly: false,
  answer: async ({ goal, directory: wanted, confirm, apply, wait }, call) => {
    const directory = parts.places.pathOf(wanted);
    const run = await parts.runs.beginNew(
      () => openAsking(parts, directory, confirm),
      async ({ app, config }, options) => {
        const { request, settings, prompts, handOver } = await prepareGoal(app, config, { goal, directory, apply });
        const onTask = (task: string) => {
          handOver(task);
          options.onTask?.(task);
        };
        return app.start(request, settings, prompts, { ...options, onTask });
      },
    );
    return followed(run, directory, wait, parts, call);
  },
});

/** Whatever the settings ask of the person stays asked. */
async function openAsking({ open }: ToolParts, directory: string, confirm: ("plan" | "diff")[]) {
  if (confirm.length === 0) return open(directory);
  await using own = await open(directory);
  return open(directory, { confirm: [...new Set([...own.config.settings.confirm, ...confirm])] });
}

const TaskInput = z.strictObject({
  task: Task.optional().describe("the id of a task; default: the newest one of the directory"),
  wait: Wait.default(0),
});

export const taskTool = (parts: ToolParts): Tool<z.output<typeof TaskInput>> => ({
  name: "task",
  title: "Show or await a task",
  description:
    "Tells where a task stands, what it did, what it cost and what it asks; waits for its end if it is told to.",
  input: TaskInput,
  readOnly: true,
  answer: async ({ task: id, wait }, call) => {
    await using opened = await parts.open(parts.places.first);
    const task = await findOwnTask(opened.app, parts, id);
    const run = parts.runs.of(task.id);
    if (run) await waitFor(run, wait, parts, call);
    return await viewTask(opened.app, task.id, parts);
  },
});

const ResumeInput = z.strictObject({ task: Task, wait: Wait });

export const resumeTool = (parts: ToolParts): Tool<z.output<typeof ResumeInput>> => ({
  name: "resume",
  title: "Go on with a task",
  description: "Goes on with a task that is paused, was interrupted, or waited for an answer that it has now.",
  input: ResumeInput,
  readOnly: false,
  answer: async ({ task: id, wait }, call) => {
    await using opened = await parts.open(parts.places.first);
    return await resumed(await findOwnTask(opened.app, parts, id), wait, parts, call);
  },
});

export async function resumed(task: TaskSummary, wait: number, parts: ToolParts, call: ToolCall): Promise<ToolAnswer> {
  const run = await parts.runs.begin(
    () => parts.open(task.directory),
    ({ app }, options) => app.resume(task.id, {}, options),
  );
  return followed(run, task.directory, wait, parts, call);
}

/** To take back a call that works is to stop the work; its end by itself is told, with why. */
async function followed(
  run: LiveRun,
  directory: string,
  wait: number,
  parts: ToolParts,
  call: ToolCall,
): Promise<ToolAnswer> {
  await waitFor(run, wait, parts, call);
  if (call.signal.aborted) {
    run.stop("interrupted");
    await run.ended;
  }
  const end = parts.runs.of(run.task) ? null : await run.ended;
  if (end?.ended === "broken") throw end.error;
  if (end?.ended === "failed") {
    const { message, ...failure } = end.failure;
    throw new TerminalFailure({ ...failure, message: `${message} (task ${run.task}; go on with the tool \`resume\`)` });
  }
  await using opened = await parts.open(directory);
  return await viewTask(opened.app, run.task, parts);
}

const StopInput = z.strictObject({
  task: Task,
  how: z
    .enum(["pause", "cancel"])
    .describe("pause: it can be resumed; cancel: it ends for good, what it wrote is taken back"),
});

export const stopTool = (parts: ToolParts): Tool<z.output<typeof StopInput>> => ({
  name: "stop",
  title: "Pause or cancel a task",
  description: "Pauses a task, or ends it for good and takes back what it wrote.",
  input: StopInput,
  readOnly: false,
  answer: async ({ task: id, how }) => {
    await using opened = await parts.open(parts.places.first);
    const task = await findOwnTask(opened.app, parts, id);
    const { store } = opened.app;
    const run = parts.runs.of(task.id);
    if (run) {
      run.stop(how === "pause" ? "paused" : "cancelled");
      await run.ended;
    } else if (await isWorkedOn(store, task.id)) {
      await wish(store, task.id, how);
    } else if (how === "cancel" && ["running", "paused", "cancelled"].includes(task.status)) {
      await using own = await parts.open(task.directory);
      await own.app.cancel(task.id, task.status);
    } else {
      throw fail("invalid-input", "task.idle", `nobody works on task ${task.id}: it is ${task.status}`);
    }
    return await viewTask(opened.app, task.id, parts);
  },
});
