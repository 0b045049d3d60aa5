import { z } from "zod";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Strand } from "../../journal/strand.ts";
import type { EngineParts } from "../hands/parts.ts";
import type { TodoResult } from "../todo/todo-work.ts";

/** The todo's strand is done: its branch is kept, and where it ran beside others the head of its strand is recorded. */
export async function settleTodo(
  strand: Strand,
  parts: EngineParts,
  todo: Todo,
  { settled, tree }: TodoResult,
  head?: string,
): Promise<void> {
  const input = { todo: todo.id, tree, ok: settled.ok, ...(head !== undefined && { head }) };
  // After a power cut it is found again; the next model call or delivery makes it durable.
  const step = { kind: "checkpoint", name: "todo-settled", input, output: z.null(), durable: false } as const;
  await strand.step(step, async ({ emit }) => {
    keepBranch(parts, todo.id, tree, todo.title);
    emit({ type: "todo-settled", todo: todo.id, ok: settled.ok, ...(!settled.ok && { failure: settled.failure }) });
    return null;
  });
}

/** What was made of a todo that had to be worked again on the tree of others. */
export async function settleRework(strand: Strand, parts: EngineParts, todo: Todo, tree: string): Promise<void> {
  const input = { todo: todo.id, tree };
  await strand.step({ kind: "checkpoint", name: "todo-reworked", input, output: z.null() }, async () => {
    keepBranch(parts, todo.id, tree, todo.title);
    return null;
  });
}

export function keepBranch(parts: EngineParts, todo: string, snapshot: string, message: string): void {
  const { task, claim } = parts.journal;
  parts.artifacts.setBranch({ task, todo, snapshot, message, at: parts.clock(), epoch: claim?.epoch ?? 0 });
}
