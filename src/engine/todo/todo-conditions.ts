import { z } from "zod";
import type { Failure } from "../../domain/failure.ts";
import type { Effect, Todo } from "../../domain/plan/plan.ts";
import { conditionCommand } from "../../domain/plan/todo-demands.ts";
import type { Language } from "../../languages/language.ts";
import type { Change } from "../../workspace/changes.ts";
import { matchesAny } from "../../workspace/glob.ts";
import { runGate } from "../gate/run-gate.ts";
import type { Run } from "../hands/run.ts";

/** Why the todo cannot begin on this tree; null if it can. */
export async function unmetPrecondition(
  run: Run,
  { todo, tree, language }: { todo: Todo; tree: string; language: Language | null },
): Promise<Failure | null> {
  const { id, preconditions = [] } = todo;
  if (preconditions.length === 0) return null;
  const accept = preconditions.map(conditionCommand);
  const { accept: results } = await runGate(run, {
    name: "preconditions",
    tree,
    language,
    tests: [],
    suite: false,
    accept,
  });
  const unmet = accept.find((command) => !results.some((result) => result.command === command && result.passed));
  if (unmet === undefined) return null;
  const message = `todo ${id} cannot be begun: its precondition \`${unmet}\` does not hold`;
  const detail = results.find(({ command }) => command === unmet)?.output ?? "";
  return { kind: "spec-mismatch", code: "todo.precondition", message, detail };
}

const Compared = z.object({ undeclared: z.array(z.string()), missing: z.array(z.string()) });

/** Compares the effects that a todo declared with what it changed. A difference is a warning and ends nothing. */
export async function compareEffects(
  run: Run,
  { todo, from, to }: { todo: Todo; from: string; to: string },
): Promise<void> {
  const { effects } = todo;
  if (!effects) return;
  const input = { from, to, effects };
  await run.step({ kind: "tool", name: "effects", input, output: Compared, durable: false }, async ({ emit }) => {
    const compared = differingEffects(effects, run.parts.artifacts.changes(from, to));
    const { undeclared, missing } = compared;
    const told = [
      ...(undeclared.length > 0 ? [`did what it did not declare: ${undeclared.slice(0, 10).join(", ")}`] : []),
      ...(missing.length > 0 ? [`declared what it did not do: ${missing.slice(0, 10).join(", ")}`] : []),
    ];
    if (told.length > 0) {
      emit({ type: "warning-raised", code: "todo.effects", message: `todo ${todo.id} ${told.join("; it ")}` });
    }
    return compared;
  });
}

export function differingEffects(
  effects: Effect[],
  changes: Pick<Change, "path" | "change">[],
): z.infer<typeof Compared> {
  const done = changes.map(({ path, change }) => ({ path, change: NAMES[change] }));
  const is = (effect: Effect, one: { path: string; change: string }) =>
    effect.change === one.change && matchesAny([effect.path], one.path);
  const told = ({ change, path }: { change: string; path: string }) => `${change} ${path}`;
  return {
    undeclared: done.filter((one) => !effects.some((effect) => is(effect, one))).map(told),
    missing: effects.filter((effect) => !done.some((one) => is(effect, one))).map(told),
  };
}

const NAMES = { added: "create", modified: "edit", mode: "edit", deleted: "delete" } as const;
