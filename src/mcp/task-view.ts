import { taskStandings } from "../app/task-state.ts";
import type { App } from "../app.ts";
import { fail } from "../domain/failure.ts";
import type { TaskSummary } from "../domain/task/task.ts";
import { listApprovals } from "../journal/approvals.ts";
import { findTask, lastTask } from "../store/tasks.ts";
import type { LiveRun } from "./runs.ts";
import type { ToolAnswer, ToolCall, ToolParts } from "./tool.ts";

/** The longest that a call waits: clients give up on calls, most of them after a minute. */
export const LONGEST_WAIT_S = 3600;
export const USUAL_WAIT_S = 45;

/** A task of this server's directories; of others nothing is told. Without an id: the newest one here. */
export async function findOwnTask(app: App, { places }: ToolParts, id: string | undefined): Promise<TaskSummary> {
  const task = id === undefined ? await lastTask(app.store, places.pathOf(undefined)) : await findTask(app.store, id);
  if (places.has(task.directory)) return task;
  throw fail("invalid-input", "task.unknown", `there is no task ${id} in the directories of this server`);
}

/** Waits until the run has ended, for so long, or until the client does not want to know any more. */
export async function waitFor(run: LiveRun, seconds: number, { texts }: ToolParts, call: ToolCall): Promise<void> {
  const end = run.bus.subscribe((message) => {
    const text = message.type === "progress" ? message.text : "number" in message ? texts.event(message) : null;
    if (text !== null) call.say(text);
  });
  const over = AbortSignal.any([call.signal, AbortSignal.timeout(seconds * 1000)]);
  try {
    await Promise.race([run.ended, aborted(over)]);
  } finally {
    end();
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** Where a task stands and what it asks, as `miracle show` and `miracle approvals` tell it. */
export async function viewTask(app: App, id: string, { texts }: ToolParts): Promise<ToolAnswer> {
  const task = await findTask(app.store, id);
  const standing = (await taskStandings(app.store, [task])).get(id);
  const state = standing?.state ?? task.status;
  const open = await listApprovals(app.store, { task: id, answered: false });
  const questions = open.map(({ request: { id: question, subject, question: asks, detail } }) => ({
    id: question,
    subject,
    question: asks,
    detail,
  }));
  const asked = questions.map(
    ({ id: question, subject, question: asks, detail }) =>
      `Waits for an answer (${subject}, ${question}): ${asks}\n${detail}\nAnswer with the tool \`answer\`, or: miracle approve ${question} --resume`,
  );
  const { goal, directory, phase, iterations, costMicros, tokens, failure } = task;
  return {
    text: [(await texts.task(app, task)).trimEnd(), ...(state === "running" ? [GOES_ON] : []), ...asked].join("\n"),
    facts: { task: id, state, goal, directory, phase, iterations, costMicros, tokens, failure, questions },
  };
}

const GOES_ON = "It goes on: the tool `task` waits for it.";
