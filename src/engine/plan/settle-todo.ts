import { z } from "zod";
import type { Todo } from "../../domain/plan/plan.ts";
import { keepBranch } from "../hands/keep-branch.ts";
import type { Run } from "../hands/run.ts";
import type { TodoResult } from "../todo/todo-work.ts";

/** Settles a todo: keeps its branch and, if it ran beside others, records the head of its strand. */
export async function settleTodo(run: Run, todo: Todo, { settled, tree }: TodoResult, head?: string): Promise<void> {
  const input = { todo: todo.id, tree, ok: settled.ok, ...(head !== undefined && { head }) };
  // After a power cut the run reaches this step again. The next model call or delivery makes it durable.
  const step = { kind: "checkpoint", name: "todo-settled", input, output: z.null(), durable: false } as const;
  await run.step(step, async ({ emit }) => {
    keepBranch(run, todo.id, tree, todo.title, head);
    emit({ type: "todo-settled", todo: todo.id, ok: settled.ok, ...(!settled.ok && { failure: settled.failure }) });
    return null;
  });
}

/** Records the result of a todo that had to be redone on the tree of others. */
export async function settleRework(run: Run, todo: Todo, tree: string): Promise<void> {
  const input = { todo: todo.id, tree };
  await run.step({ kind: "checkpoint", name: "todo-reworked", input, output: z.null() }, async () => {
    keepBranch(run, todo.id, tree, todo.title);
    return null;
  });
}
