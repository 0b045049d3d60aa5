import { z } from "zod";
import { Iteration } from "../../domain/loop/iteration.ts";
import { ModelAnswer, ModelRequest } from "../../domain/message.ts";
import { Spec } from "../../domain/plan/spec.ts";
import type { Step } from "../../domain/task/step.ts";
import { isTaskStep, nameInIteration, nameOf, strandTitle, TASK_STRAND } from "../../domain/task/step-path.ts";
import { TaskOutcome } from "../../domain/task/task.ts";
import { readFrozen } from "../../journal/journal.ts";
import { unpack } from "../../journal/pack.ts";
import type { Recording } from "../../journal/recording.ts";

/** A complete conversation of the coder. */
export interface Conversation {
  request: ModelRequest;
  answer: ModelAnswer;
}

/** One judged iteration, with its conversations. */
interface RecordedIteration {
  iteration: Iteration;
  conversation: Conversation | null;
  /** The change up to here as the journal holds it, perhaps shortened. Null if it was not recorded. */
  change: string | null;
}

export interface RecordedTodo {
  name: string;
  /** The tree that it began with, given tests included. */
  tree: string;
  /** The opening request of its first iteration. */
  opening: ModelRequest | null;
  iterations: RecordedIteration[];
}

/** What can be learnt from a task, read from its journal alone. */
export interface RecordedWork {
  task: string;
  goal: string;
  language: string;
  status: TaskOutcome["status"];
  baseTree: string | null;
  /** The given tests, and everything that memory told the coder. Neither is the coder's work. */
  given: string[];
  recalled: string[];
  todos: RecordedTodo[];
}

const Begun = z.object({ tree: z.string() });
const Judged = z.object({ iteration: Iteration });
const Planned = z.object({ spec: Spec });
const Placed = z.object({ paths: z.array(z.string()) });
const Recalled = z.object({ text: z.string() });

/** Null while the task has not ended. */
export async function readWork(recording: Recording): Promise<RecordedWork | null> {
  const load = (hash: string) => recording.blob(hash);
  const input = (step: Step) => unpack(step.inputHash, load);
  const output = (step: Step) => unpack(step.outputHash, load);
  const { request } = await readFrozen(recording);
  const steps = (await recording.strand(TASK_STRAND)).steps;
  const ended = steps.findLast(({ path }) => isTaskStep(path, "settle"));
  const outcome = ended && TaskOutcome.safeParse(await output(ended)).data;
  if (!outcome) return null;
  const work: RecordedWork = {
    task: recording.task,
    goal: request.goal,
    language: "",
    status: outcome.status,
    baseTree: null,
    given: [],
    recalled: [],
    todos: [],
  };
  for (const step of steps) {
    if (isTaskStep(step.path, "survey")) work.baseTree = Begun.safeParse(await output(step)).data?.tree ?? null;
    if (isTaskStep(step.path, "plan-made"))
      work.language = Planned.safeParse(await input(step)).data?.spec.language ?? work.language;
    if (nameOf(step.path) === "place-tests")
      work.given.push(...(Placed.safeParse(await output(step)).data?.paths ?? []));
  }
  for (const name of await recording.strands()) {
    if (name === TASK_STRAND) continue;
    const todo = await readTodo(name, (await recording.strand(name)).steps, input, output, work.recalled);
    if (todo) work.todos.push(todo);
  }
  return work;
}

type Read = (step: Step) => ReturnType<typeof unpack>;

async function readTodo(
  name: string,
  steps: readonly Step[],
  input: Read,
  output: Read,
  recalled: string[],
): Promise<RecordedTodo | null> {
  const todo: RecordedTodo = { name: strandTitle(name), tree: "", opening: null, iterations: [] };
  let conversation: Conversation | null = null;
  let change: string | null = null;
  for (const step of steps) {
    if (step.outcome !== "ok") continue;
    const about = nameInIteration(step.path);
    if (about === "code" && step.kind === "model") {
      const request = ModelRequest.parse(await input(step));
      todo.opening ??= request;
      conversation = { request, answer: ModelAnswer.parse(await output(step)) };
    } else if (about === "diff") change = z.string().parse(await output(step));
    else if (about === "recall") {
      const text = Recalled.safeParse(await output(step)).data?.text ?? "";
      if (text !== "") recalled.push(text);
    } else if (nameOf(step.path) === "phase") {
      if (todo.tree === "") todo.tree = Begun.safeParse(await input(step)).data?.tree ?? "";
      const judged = Judged.safeParse(await output(step)).data;
      if (!judged) continue;
      todo.iterations.push({ iteration: judged.iteration, conversation, change });
      conversation = null;
      change = null;
    }
  }
  return todo.iterations.length === 0 ? null : todo;
}
