import { useMemo } from "preact/hooks";
import type { TaskStory } from "../live/task-story.ts";
import { count } from "../parts/figures.ts";
import { Mark } from "../parts/mark.tsx";
import type { PlanState } from "../shapes.ts";
import { type Edge, layoutPlan, nodesOf, type PlacedTodo } from "./layout-plan.ts";

const WIDTH = 168;
const HEIGHT = 90;
const GAP_X = 30;
const GAP_Y = 14;

interface PlanGraphProps {
  plan: PlanState;
  story: TaskStory;
  /** Somebody works on it now. */
  busy: boolean;
}

/** The plan: todos with their state, what waits for what, branches hanging from their parents, candidates beside. */
export function PlanGraph({ plan, story, busy }: PlanGraphProps) {
  const { placed, edges, columns, rows } = useMemo(() => layoutPlan(nodesOf(plan)), [plan]);
  const width = columns * (WIDTH + GAP_X) - GAP_X;
  const height = rows * (HEIGHT + GAP_Y) - GAP_Y;
  return (
    <div class="plan" tabIndex={0} role="group" aria-label="Plan">
      <div class="canvas" style={{ width: `${width}px`, height: `${height}px` }}>
        <svg width={width} height={height} aria-hidden="true" focusable="false">
          {edges.map((edge) => (
            <path
              key={`${edge.from.todo.id} ${edge.to.todo.id}`}
              class={edge.branch ? "branch" : edge.from.todo.state === "done" ? "done" : ""}
              d={pathOf(edge)}
            />
          ))}
        </svg>
        <ol>
          {placed.map((one) => (
            <TodoNode key={one.todo.id} placed={one} story={story} busy={busy} />
          ))}
        </ol>
      </div>
    </div>
  );
}

function TodoNode({ placed, story, busy }: { placed: PlacedTodo } & Pick<PlanGraphProps, "story" | "busy">) {
  const { todo } = placed;
  const iterations = story.iterations.filter((iteration) => iteration.todo === todo.id);
  const last = iterations.at(-1);
  const chosen = story.candidates.findLast((event) => event.todo === todo.id);
  const isNow = busy && story.todo === todo.id && todo.state === "running";
  return (
    <li
      class={`node ${todo.state} ${todo.parent !== null ? "branch" : ""}`}
      style={{
        transform: `translate(${left(placed)}px, ${top(placed)}px)`,
        width: `${WIDTH}px`,
        height: `${HEIGHT}px`,
      }}
    >
      <span class="head">
        <Mark state={todo.state} of="todo" />
        <code>{todo.id}</code>
      </span>
      <span class="title" title={todo.failure === "" ? todo.title : `${todo.title}: ${todo.failure}`}>
        {todo.title}
      </span>
      <span class="foot">
        {isNow && <span>{story.phase}</span>}
        {iterations.length > 0 && <span>{count(iterations.length, "iteration")}</span>}
        {last?.outcome === "red" && todo.state !== "done" && <span class="bad">{last.red.length} red</span>}
        {todo.attempt > 1 && <span>{`try ${todo.attempt}`}</span>}
        {todo.reason !== "" && <span>{todo.reason}</span>}
        {chosen && <span>{`candidate ${chosen.chosen} of ${chosen.candidates.length}`}</span>}
      </span>
      {todo.dependsOn.length > 0 && <span class="unseen">depends on {todo.dependsOn.join(", ")}</span>}
    </li>
  );
}

const left = ({ column }: PlacedTodo): number => column * (WIDTH + GAP_X);
const top = ({ row }: PlacedTodo): number => row * (HEIGHT + GAP_Y);

function pathOf({ from, to, branch }: Edge): string {
  if (branch) {
    const [x, y, end] = [left(from) + 14, top(from) + HEIGHT, top(to)];
    return `M${x} ${y}V${end}`;
  }
  const [x, y] = [left(from) + WIDTH, top(from) + HEIGHT / 2];
  const [endX, endY] = [left(to), top(to) + HEIGHT / 2];
  const half = (x + endX) / 2;
  return `M${x} ${y}C${half} ${y} ${half} ${endY} ${endX} ${endY}`;
}
