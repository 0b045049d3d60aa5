import { useCallback, useMemo, useState } from "preact/hooks";
import { hasEnded, useCatalogue } from "../live/task-catalogue.ts";
import { useNow } from "../live/use-resource.ts";
import { count, duration, money } from "../parts/figures.ts";
import { Mark } from "../parts/mark.tsx";
import { Hint, Trouble, Waiting } from "../parts/notice.tsx";
import { useNarrow } from "../parts/use-narrow.ts";
import { When } from "../parts/when.tsx";
import { WindowedList } from "../parts/windowed-list.tsx";
import { hrefOf, taskHref } from "../route.ts";
import type { TaskView } from "../shapes.ts";

const GROUPS = ["mine", "open", "ended"] as const;
type Group = (typeof GROUPS)[number];
type Filter = Group | "all";

const TITLES: Record<Filter, string> = { all: "All", mine: "Waits for you", open: "Under way", ended: "Ended" };

type Row = { kind: "title"; group: Group; size: number } | { kind: "task"; task: TaskView };

export function TasksPage() {
  const [words, setWords] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  const narrow = useNarrow();
  const now = useNow(1000);
  const { tasks, complete, problem, more } = useCatalogue(words.trim());
  const found = useMemo(() => (tasks ?? []).filter(matches(words)), [tasks, words]);
  const sizes = useMemo(() => sizesOf(found), [found]);
  const rows = useMemo(() => rowsOf(found, filter), [found, filter]);
  const heightOf = useCallback((row: Row) => (row.kind === "title" ? 44 : narrow ? 96 : 60), [narrow]);
  return (
    <>
      <h1 tabIndex={-1}>Tasks</h1>
      <div class="filters">
        <search>
          <label class="unseen" for="search">
            Search goals and ids
          </label>
          <input
            id="search"
            type="search"
            placeholder="Search goals and ids"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </search>
        <div class="chips" role="group" aria-label="Show">
          {(["all", ...GROUPS] as const).map((choice) => (
            <button type="button" key={choice} aria-pressed={filter === choice} onClick={() => setFilter(choice)}>
              {TITLES[choice]} <span class="figure">{choice === "all" ? found.length : sizes[choice]}</span>
              {!complete && (choice === "all" || choice === "ended") && <span class="figure">+</span>}
            </button>
          ))}
        </div>
      </div>
      <Trouble problem={problem} />
      {tasks === undefined && !problem && <Waiting what="Asking for the tasks" />}
      {tasks?.length === 0 && (
        <Hint>
          Nothing was asked of this server yet. <a href={hrefOf({ page: "new" })}>Give it a goal</a>.
        </Hint>
      )}
      {tasks !== undefined && tasks.length > 0 && rows.length === 0 && <Hint>No task fits.</Hint>}
      <WindowedList items={rows} heightOf={heightOf} keyOf={keyOf} label="Tasks" onEnd={more}>
        {(row) => (row.kind === "title" ? <GroupTitle row={row} /> : <TaskRow task={row.task} now={now} />)}
      </WindowedList>
    </>
  );
}

function GroupTitle({ row }: { row: Extract<Row, { kind: "title" }> }) {
  return (
    <h2 class="group">
      {TITLES[row.group]} <span class="figure">{row.size}</span>
    </h2>
  );
}

function TaskRow({ task, now }: { task: TaskView; now: number }) {
  const { id, goal, state, phase, directory, costMicros, createdAt, updatedAt, questions, failure, iterations } = task;
  const took = (hasEnded(state) || state === "paused" ? updatedAt : now) - createdAt;
  const under =
    questions > 0
      ? `${count(questions, "question")} for you`
      : state === "running"
        ? phase
        : (failure?.message ?? count(iterations, "iteration"));
  return (
    <a class={`row ${groupOf(task)}`} href={taskHref(id)}>
      <span class="state">
        <Mark state={state} />
      </span>
      <span class="goal">
        <span class="words">{goal}</span>
        <span class="under">
          {directory} · {under}
        </span>
      </span>
      <span class="figures">
        <span>{costMicros === 0 ? "" : money(costMicros)}</span>
        <span>{duration(Math.max(0, took))}</span>
        <When at={createdAt} now={now} />
      </span>
    </a>
  );
}

/** Open questions of a task that runs are a person's to answer, too. */
function groupOf({ state, questions }: TaskView): Group {
  if (questions > 0 || state === "waiting" || state === "interrupted") return "mine";
  return hasEnded(state) ? "ended" : "open";
}

function sizesOf(tasks: TaskView[]): Record<Group, number> {
  const sizes = { mine: 0, open: 0, ended: 0 };
  for (const task of tasks) sizes[groupOf(task)] += 1;
  return sizes;
}

function rowsOf(tasks: TaskView[], filter: Filter): Row[] {
  return GROUPS.filter((group) => filter === "all" || filter === group).flatMap((group): Row[] => {
    const own = tasks.filter((task) => groupOf(task) === group);
    if (own.length === 0) return [];
    return [{ kind: "title", group, size: own.length }, ...own.map((task): Row => ({ kind: "task", task }))];
  });
}

const keyOf = (row: Row): string => (row.kind === "title" ? row.group : row.task.id);

function matches(words: string): (task: TaskView) => boolean {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ goal, id, directory, state }) => {
    const text = `${goal} ${id} ${directory} ${state}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
}
