import { orderTodos, type Plan, type Todo } from "../../domain/plan/plan.ts";

/**
 * The graph of a plan, a line for each todo: `●` stands on the lanes that lead into it from above. A lane is open from a
 * todo down to the last one that depends on it.
 */
export function planGraphText(plan: Plan): string[] {
  const todos = orderTodos(plan);
  const wide = Math.max(...todos.map(({ id }) => id.length));
  const lanes: (string | null)[] = [];
  const rows: { graph: string; todo?: Todo }[] = [];
  const left = new Map(todos.map(({ id }) => [id, todos.filter(({ dependsOn }) => dependsOn.includes(id)).length]));
  for (const todo of todos) {
    const from = todo.dependsOn.map((id) => lanes.indexOf(id));
    for (const id of todo.dependsOn) left.set(id, (left.get(id) ?? 1) - 1);
    const open = (lane: string | null | undefined) => lane != null && (left.get(lane) ?? 0) > 0;
    const ending = from.filter((at) => !open(lanes[at])).sort((a, b) => a - b);
    const at = ending[0] ?? freeLane(lanes);
    const others = from.filter((lane) => lane !== at);
    if (others.length > 0) rows.push({ graph: joint(lanes, at, from, open) });
    for (const lane of ending) lanes[lane] = null;
    lanes[at] = todo.id;
    const row = lanes.map((lane, column) => (column === at ? "●" : lane === null ? " " : "│"));
    rows.push({ graph: row.join(" "), todo });
    if (left.get(todo.id) === 0) lanes[at] = null;
    while (lanes.at(-1) === null) lanes.pop();
  }
  const columns = Math.max(...rows.map(({ graph }) => graph.length));
  return rows.map(({ graph, todo }) =>
    todo ? `${graph.padEnd(columns)}  ${todo.id.padEnd(wide)}  ${describe(todo)}` : graph,
  );
}

function freeLane(lanes: (string | null)[]): number {
  const free = lanes.indexOf(null);
  return free < 0 ? lanes.length : free;
}

/** The line above a todo, on which the lanes of its dependencies turn towards it. */
function joint(
  lanes: (string | null)[],
  at: number,
  from: number[],
  open: (lane: string | null | undefined) => boolean,
): string {
  const [first, last] = [Math.min(at, ...from), Math.max(at, ...from)];
  const width = Math.max(lanes.length, at + 1);
  const cells = Array.from({ length: width }, (_, column) => {
    const up = lanes[column] != null;
    const down = column === at || open(lanes[column]);
    const between = column >= first && column <= last;
    return PIECES[
      (up ? 8 : 0) + (down ? 4 : 0) + (between && column > first ? 2 : 0) + (between && column < last ? 1 : 0)
    ];
  });
  return cells
    .map((cell, column) => `${cell}${column >= first && column < last ? "─" : " "}`)
    .join("")
    .trimEnd();
}

/** By where a line leads: up 8, down 4, left 2, right 1. */
const PIECES = [" ", "╶", "╴", "─", "╷", "┌", "┐", "┬", "╵", "└", "┘", "┴", "│", "├", "┤", "┼"];

function describe({ title, requirements, dependsOn, artifacts, files }: Todo): string {
  const about = [
    ...(requirements.length > 0 ? [requirements.join(", ")] : []),
    ...(dependsOn.length > 0 ? [`after ${dependsOn.join(", ")}`] : []),
    ...((files ?? artifacts).length > 0 ? [(files ?? artifacts).join(", ")] : []),
  ];
  return about.length === 0 ? title : `${title} (${about.join("; ")})`;
}
