import { hasMessage, nextMessage } from "../hands/next-message.ts";
import type { Run } from "../hands/run.ts";
import { runTodo } from "./run-todo.ts";
import type { TodoResult, TodoWork } from "./todo-work.ts";

/** The loop without a plan and a spec: what a person says meanwhile is a note for the coder. */
export async function runListening(run: Run, first: TodoWork): Promise<TodoResult> {
  const listening = { isWanted: async () => (await run.parts.messages.next()) !== null };
  let work: TodoWork = { ...first, listening };
  for (;;) {
    for (let heard = await nextMessage(run); heard; heard = await nextMessage(run)) {
      work = { ...work, notes: [...(work.notes ?? []), `The person says:\n${heard.message.text}`] };
    }
    const result = await runTodo(run, work);
    if (!result.yielded && !(await hasMessage(run))) return result;
    const after = result.yielded?.after ?? result.iterations.at(-1)?.number ?? 0;
    work = { ...work, goOn: { tree: result.tree, after }, notes: result.yielded?.notes ?? work.notes ?? [] };
  }
}
