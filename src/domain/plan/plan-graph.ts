import { overlap } from "./overlapping-globs.ts";
import type { Plan, Todo } from "./plan.ts";

/** Everything a todo stands on, itself included. Circles and ids that the plan does not have end it. */
export function foundationOf(plan: Plan, id: string): Set<string> {
  const byId = new Map(plan.todos.map((todo) => [todo.id, todo]));
  const found = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next) || !byId.has(next)) continue;
    found.add(next);
    open.push(...(byId.get(next)?.dependsOn ?? []));
  }
  return found;
}

/** Those of a set on which no other of the set stands, in plan order. */
export function topsOf(plan: Plan, ids: ReadonlySet<string>): Todo[] {
  const carried = new Set<string>();
  for (const id of ids) for (const below of foundationOf(plan, id)) if (below !== id) carried.add(below);
  return plan.todos.filter((todo) => ids.has(todo.id) && !carried.has(todo.id));
}

/** The todos by how many others must be done first; those of one level may be worked on at once. */
export function levelsOf(plan: Plan): Todo[][] {
  const levels: Todo[][] = [];
  const level = new Map<string, number>();
  let left = plan.todos;
  while (left.length > 0) {
    const ready = left.filter((todo) => todo.dependsOn.every((id) => level.has(id)));
    // A circle, or what depends on something that is not there, has no level.
    if (ready.length === 0) break;
    for (const todo of ready) {
      const at = Math.max(-1, ...todo.dependsOn.map((id) => level.get(id) ?? -1)) + 1;
      level.set(todo.id, at);
    }
    left = left.filter((todo) => !ready.includes(todo));
  }
  for (const todo of plan.todos) {
    const at = level.get(todo.id);
    if (at === undefined) continue;
    levels[at] ??= [];
    levels[at].push(todo);
  }
  return levels;
}

/** Pairs of todos of which neither stands on the other: they may be worked on at once. */
export function independentPairs(plan: Plan): [Todo, Todo][] {
  const foundations = new Map(plan.todos.map((todo) => [todo.id, foundationOf(plan, todo.id)]));
  return plan.todos.flatMap((first, index) =>
    plan.todos
      .slice(index + 1)
      .filter(
        (second) =>
          first.id !== second.id &&
          !foundations.get(first.id)?.has(second.id) &&
          !foundations.get(second.id)?.has(first.id),
      )
      .map((second): [Todo, Todo] => [first, second]),
  );
}

/** Where a todo says that it writes: its file scope, or the files it is expected to change. Null: it does not say. */
function writesOf({ files, artifacts }: Todo): string[] | null {
  if (files) return files;
  return artifacts.length > 0 ? artifacts.map((path) => `/${path}`) : null;
}

/** A place that both todos say they write, if there is one. */
export function sharedPlace(first: Todo, second: Todo): string | undefined {
  const others = writesOf(second) ?? [];
  return (writesOf(first) ?? []).find((mine) => others.some((other) => overlap(mine, other)))?.replace(/^\//, "");
}

/**
 * The plan with todos in turn where they might write the same files: the later one then begins from what the earlier one
 * left, instead of being merged with it. What does not say where it writes may write everywhere.
 */
export function withoutCollisions(plan: Plan): Plan {
  const todos: Todo[] = [];
  for (const todo of plan.todos) {
    const below = foundationOf({ todos: [...todos, todo] }, todo.id);
    const collides = (other: Todo) =>
      writesOf(todo) === null || writesOf(other) === null || sharedPlace(todo, other) !== undefined;
    const others = todos.filter((other) => !below.has(other.id) && collides(other));
    const added = topsOf({ todos }, new Set(others.map((other) => other.id))).map((other) => other.id);
    todos.push(added.length === 0 ? todo : { ...todo, dependsOn: [...todo.dependsOn, ...added] });
  }
  return { todos };
}
