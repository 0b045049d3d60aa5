import type { PlanState } from "../shapes.ts";

/** A todo as the graph shows it. */
export interface PlanNode {
  id: string;
  title: string;
  state: PlanState["todos"][number]["state"];
  dependsOn: string[];
  attempt: number;
  failure: string;
  /** Of a branch todo: what it hangs from, and why it is there. */
  parent: string | null;
  reason: string;
}

export function nodesOf({ todos, branches }: PlanState): PlanNode[] {
  return [
    ...todos.map(({ todo: { id, title, dependsOn }, state, attempt, failure }) => {
      return { id, title, state, dependsOn, attempt, failure: failure?.message ?? "", parent: null, reason: "" };
    }),
    ...branches.map(({ id, parent, reason, finding, state }): PlanNode => {
      const own = { id, title: finding, dependsOn: [], attempt: 0, failure: "", parent, state };
      return { ...own, reason: reason.replaceAll("_", " ") };
    }),
  ];
}

export interface PlacedTodo {
  todo: PlanNode;
  /** From the left, by how much must be done before; from the top. */
  column: number;
  row: number;
}

export interface Edge {
  from: PlacedTodo;
  to: PlacedTodo;
  /** To a branch todo, which hangs from its parent. */
  branch: boolean;
}

export interface PlanLayout {
  placed: PlacedTodo[];
  edges: Edge[];
  columns: number;
  rows: number;
}

/**
 * A plan as columns: every todo stands to the right of all it depends on, near them; a branch todo stands under its
 * parent. A circle, which no plan has, does not keep it from ending.
 */
export function layoutPlan(todos: readonly PlanNode[]): PlanLayout {
  const byId = new Map(todos.map((todo) => [todo.id, todo]));
  const depths = new Map<string, number>();
  const depthOf = (id: string, above: ReadonlySet<string>): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    const before = (byId.get(id)?.dependsOn ?? []).filter((other) => byId.has(other) && !above.has(other));
    const depth = before.reduce((most, other) => Math.max(most, depthOf(other, new Set([...above, id])) + 1), 0);
    depths.set(id, depth);
    return depth;
  };
  const placed: PlacedTodo[] = [];
  const rowOf = new Map<string, number>();
  const own = todos.filter((todo) => !isBranch(todo, byId));
  const columns = own.reduce((most, { id }) => Math.max(most, depthOf(id, new Set([id])) + 1), 0);
  for (let column = 0; column < columns; column += 1) {
    const here = own.filter(({ id }) => depths.get(id) === column).map((todo) => ({ todo, wish: wishOf(todo, rowOf) }));
    let row = 0;
    for (const { todo } of here.toSorted((a, b) => a.wish - b.wish)) {
      const family = [todo, ...todos.filter((other) => other.parent === todo.id)];
      for (const member of family) {
        rowOf.set(member.id, row);
        placed.push({ todo: member, column, row });
        row += 1;
      }
    }
  }
  return { placed, edges: edgesOf(placed), columns, rows: Math.max(0, ...placed.map(({ row }) => row + 1)) };
}

const isBranch = ({ parent }: PlanNode, byId: Map<string, PlanNode>): boolean => parent !== null && byId.has(parent);

/** In the middle of what it depends on. */
function wishOf({ dependsOn }: PlanNode, rowOf: Map<string, number>): number {
  const rows = dependsOn.flatMap((id) => rowOf.get(id) ?? []);
  return rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + row, 0) / rows.length;
}

function edgesOf(placed: PlacedTodo[]): Edge[] {
  const byId = new Map(placed.map((one) => [one.todo.id, one]));
  return placed.flatMap((to) => {
    const parent = to.todo.parent === null ? undefined : byId.get(to.todo.parent);
    const before = to.todo.dependsOn.flatMap((id) => byId.get(id) ?? []);
    return [
      ...before.map((from) => ({ from, to, branch: false })),
      ...(parent ? [{ from: parent, to, branch: true }] : []),
    ];
  });
}
