import { hasMessage, nextMessage } from "../hands/next-message.ts";
import type { Run } from "../hands/run.ts";
import { type Attempt, resumedFrom, withNote } from "./attempt.ts";
import { runTodo } from "./run-todo.ts";
import type { TodoResult, TodoWork } from "./todo-work.ts";

/** The loop without plan and spec. Messages of a person become notes for the coder. */
export async function runDirect(run: Run, work: TodoWork, first: Attempt): Promise<TodoResult> {
  const listening = { isWanted: async () => (await run.parts.messages.next()) !== null };
  let attempt = first;
  for (;;) {
    for (let heard = await nextMessage(run); heard; heard = await nextMessage(run)) {
      attempt = withNote(attempt, `The person says:\n${heard.message.text}`);
    }
    const result = await runTodo(run, work, attempt, { listening });
    if (!result.yielded && !(await hasMessage(run))) return result;
    const after = result.yielded?.after ?? result.iterations.at(-1)?.number ?? 0;
    attempt = { ...resumedFrom(attempt, result.tree, after), notes: result.yielded?.notes ?? attempt.notes };
  }
}
