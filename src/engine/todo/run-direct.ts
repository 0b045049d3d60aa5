import type { Strand } from "../../journal/strand.ts";
import { hear, isTold } from "../hands/next-message.ts";
import type { EngineParts } from "../hands/parts.ts";
import { runTodo } from "./run-todo.ts";
import type { TodoResult, TodoWork } from "./todo-work.ts";

/** The loop without a plan and a spec: what a person says meanwhile is a note for the coder. */
export async function runListening(strand: Strand, parts: EngineParts, first: TodoWork): Promise<TodoResult> {
  const listening = { isWanted: async () => (await parts.messages.next()) !== null };
  let work: TodoWork = { ...first, listening };
  for (;;) {
    for (let heard = await hear(strand, parts); heard; heard = await hear(strand, parts)) {
      work = { ...work, notes: [...(work.notes ?? []), `The person says:\n${heard.message.text}`] };
    }
    const result = await runTodo(strand, parts, work);
    if (!result.yielded && !(await isTold(strand, parts))) return result;
    const after = result.yielded?.after ?? result.iterations.at(-1)?.number ?? 0;
    work = { ...work, goOn: { tree: result.tree, after }, notes: result.yielded?.notes ?? work.notes ?? [] };
  }
}
