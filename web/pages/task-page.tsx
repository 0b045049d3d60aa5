import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { announce } from "../live/announce.ts";
import { hasEnded } from "../live/task-catalogue.ts";
import { useNow, useResource } from "../live/use-resource.ts";
import { useTaskStory } from "../live/use-task-story.ts";
import { count, duration, money, short } from "../parts/figures.ts";
import { Mark } from "../parts/mark.tsx";
import { Trouble, Waiting } from "../parts/notice.tsx";
import { useAction } from "../parts/use-action.ts";
import { When } from "../parts/when.tsx";
import { hrefOf, TASK_TABS, type TaskTab, taskHref } from "../route.ts";
import type { TaskView } from "../shapes.ts";
import { TaskChange } from "./task-change.tsx";
import { TaskEvidence } from "./task-evidence.tsx";
import { TaskLive } from "./task-live.tsx";
import { TaskSteps } from "./task-steps.tsx";

const TITLES: Record<TaskTab, string> = { live: "Live", steps: "Steps", change: "Change", evidence: "Evidence" };

/** One task: what happens in it, what it made, and why that may be believed. */
export function TaskPage({ id, tab }: { id: string; tab: TaskTab }) {
  const now = useNow(1000);
  const { story, live } = useTaskStory(id);
  // Its own row tells what events do not: who works on it, and what waits.
  const row = useResource((signal) => api.task(id, signal), [id], {
    version: [story.workChanges, story.waiting.size],
    everyMs: 3000,
  });
  const [chosen, setChosen] = useState<number>();
  const task = row.value;
  if (!task) {
    return (
      <>
        <h1 tabIndex={-1}>Task {id}</h1>
        {row.problem ? <Trouble problem={row.problem} /> : <Waiting what="Asking for the task" />}
      </>
    );
  }
  const choose = (number: number) => {
    setChosen(number);
    location.hash = taskHref(id, "steps");
  };
  return (
    <>
      <TaskHead task={task} live={live} now={now} onChange={row.reload} />
      <nav class="tabs" aria-label="Parts of the task">
        <ul>
          {TASK_TABS.map((name) => (
            <li key={name}>
              <a href={taskHref(id, name)} aria-current={tab === name ? "page" : undefined}>
                {TITLES[name]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {tab === "live" && <TaskLive task={task} story={story} now={now} onAnswered={row.reload} onChoose={choose} />}
      {tab === "steps" && <TaskSteps task={task} story={story} chosenEvent={chosen} />}
      {tab === "change" && <TaskChange task={task} version={story.workChanges} />}
      {tab === "evidence" && <TaskEvidence task={task} version={story.workChanges} />}
    </>
  );
}

interface TaskHeadProps {
  task: TaskView;
  live: boolean;
  now: number;
  onChange(): void;
}

function TaskHead({ task, live, now, onChange }: TaskHeadProps) {
  const { id, goal, state, directory, costMicros, tokens, iterations, createdAt, updatedAt, failure, parent } = task;
  const over = hasEnded(state);
  const took = (over || state === "paused" ? updatedAt : now) - createdAt;
  return (
    <header class="task-head">
      <div class="top">
        <Mark state={state} />
        <span class={`liveness ${live ? "on" : ""}`}>{over ? "" : live ? "live" : "connecting"}</span>
        <Actions task={task} onChange={onChange} />
      </div>
      <h1 tabIndex={-1}>{goal}</h1>
      <dl class="facts">
        <Fact name="Task">
          <code>{id}</code>
        </Fact>
        {parent !== null && (
          <Fact name="From">
            <a href={taskHref(parent)}>{parent}</a>{" "}
            <a href={hrefOf({ page: "compare", left: parent, right: id })}>compare</a>
          </Fact>
        )}
        <Fact name="Directory">{directory}</Fact>
        <Fact name="Started">
          <When at={createdAt} now={now} />
        </Fact>
        <Fact name="Took">{duration(Math.max(0, took))}</Fact>
        <Fact name="Cost">{money(costMicros)}</Fact>
        <Fact name="Tokens">{short(tokens)}</Fact>
        <Fact name="Work">{count(iterations, "iteration")}</Fact>
      </dl>
      {failure && (
        <p class="trouble">
          {failure.message}
          {failure.detail !== undefined && <span class="more">{failure.detail}</span>}
        </p>
      )}
    </header>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type Act = "pause" | "resume" | "cancel" | "undo";

const ACTS: Record<Act, { title: string; sure?: string; said: string }> = {
  pause: { title: "Pause", said: "It pauses at its next step" },
  resume: { title: "Resume", said: "It goes on" },
  cancel: { title: "Cancel", sure: "End it for good?", said: "It is cancelled" },
  undo: { title: "Undo", sure: "Take its change back?", said: "The change is taken back" },
};

function actsFor({ state }: TaskView): Act[] {
  if (state === "running" || state === "queued") return ["pause", "cancel"];
  if (state === "paused" || state === "interrupted" || state === "waiting") return ["resume", "cancel"];
  return state === "proven" || state === "checked" ? ["undo"] : [];
}

/** What ends something is asked about, in place. */
function Actions({ task, onChange }: { task: TaskView; onChange(): void }) {
  const acting = useAction();
  const [asked, ask] = useState<Act>();
  const act = (name: Act) => {
    ask(undefined);
    acting.run(async () => {
      await api.act(task.id, name);
      announce(ACTS[name].said);
      onChange();
    });
  };
  const { sure } = asked === undefined ? {} : ACTS[asked];
  return (
    <div class="actions">
      <Trouble problem={acting.problem} />
      {asked !== undefined && sure !== undefined ? (
        <div class="sure" role="group" aria-label={sure}>
          <span>{sure}</span>
          <button type="button" class="danger" onClick={() => act(asked)}>
            {ACTS[asked].title}
          </button>
          <button type="button" ref={focused} onClick={() => ask(undefined)}>
            No
          </button>
        </div>
      ) : (
        actsFor(task).map((name) => (
          <button
            type="button"
            key={name}
            disabled={acting.busy}
            onClick={() => (ACTS[name].sure === undefined ? act(name) : ask(name))}
          >
            {ACTS[name].title}
          </button>
        ))
      )}
    </div>
  );
}

const focused = (element: HTMLElement | null): void => element?.focus();
