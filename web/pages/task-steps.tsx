import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TaskStory } from "../live/task-story.ts";
import { clock, duration, money, short } from "../parts/figures.ts";
import { Hint, Trouble, Waiting } from "../parts/notice.tsx";
import { useNarrow } from "../parts/use-narrow.ts";
import { WindowedList } from "../parts/windowed-list.tsx";
import type { StepView, TaskView } from "../shapes.ts";
import { StepPanel } from "./step-panel.tsx";
import { useSteps } from "./use-steps.ts";

const KINDS = ["model", "tool", "decision", "checkpoint", "compensation"] as const;

interface TaskStepsProps {
  task: TaskView;
  story: TaskStory;
  /** Where on the timeline somebody clicked: the step of this event is opened. */
  chosenEvent: number | undefined;
}

/** Every recorded step. One that is chosen shows what it was given and what came of it. */
export function TaskSteps({ task, story, chosenEvent }: TaskStepsProps) {
  const { steps, problem } = useSteps(task.id, story.count);
  const [kind, setKind] = useState<StepView["kind"]>();
  const [number, setNumber] = useState<number>();
  const opener = useRef<HTMLElement | null>(null);
  const narrow = useNarrow();
  const at = story.spans.find((span) => span.number === chosenEvent)?.to;
  useEffect(() => {
    if (at === undefined || steps.length === 0) return;
    const near = steps.reduce((best, step) => (distance(step, at) < distance(best, at) ? step : best));
    setNumber(near.number);
  }, [at, steps.length === 0]);
  const shown = useMemo(
    () => steps.filter((step) => kind === undefined || step.kind === kind).toReversed(),
    [steps, kind],
  );
  const heightOf = useCallback(() => (narrow ? 64 : 40), [narrow]);
  const open = (step: StepView, element: HTMLElement) => {
    opener.current = element;
    setNumber(step.number);
  };
  const close = () => {
    setNumber(undefined);
    opener.current?.focus();
  };
  return (
    <div class={`steps ${number === undefined ? "" : "with-panel"}`}>
      <div>
        <div class="chips" role="group" aria-label="Kinds of steps">
          <button type="button" aria-pressed={kind === undefined} onClick={() => setKind(undefined)}>
            All <span class="figure">{steps.length}</span>
          </button>
          {KINDS.filter((name) => steps.some((step) => step.kind === name)).map((name) => (
            <button type="button" key={name} aria-pressed={kind === name} onClick={() => setKind(name)}>
              {name}
            </button>
          ))}
        </div>
        <Trouble problem={problem} />
        {steps.length === 0 && !problem && <Waiting what="Asking for the steps" />}
        {steps.length > 0 && shown.length === 0 && <Hint>There are none of this kind.</Hint>}
        <WindowedList items={shown} heightOf={heightOf} keyOf={keyOf} label="Steps, newest first">
          {(step) => (
            <button
              type="button"
              class={`step ${step.kind} ${step.outcome}`}
              aria-expanded={step.number === number}
              onClick={(event) => open(step, event.currentTarget)}
            >
              <span class="number">{step.number}</span>
              <span class="kind">{step.kind}</span>
              <span class="path">
                <span class="strand">{step.strand}</span> {step.name}
                {step.outcome === "failed" && <span class="bad"> failed</span>}
              </span>
              <span class="used">{usedBy(step)}</span>
              <span class="took">{duration(step.endedAt - step.startedAt)}</span>
              <time dateTime={new Date(step.endedAt).toISOString()}>{clock(step.endedAt)}</time>
            </button>
          )}
        </WindowedList>
      </div>
      {number !== undefined && <StepPanel key={number} task={task} number={number} onClose={close} />}
    </div>
  );
}

const keyOf = ({ number }: StepView): string => String(number);
const distance = ({ endedAt }: StepView, at: number): number => Math.abs(endedAt - at);

function usedBy({ usage }: StepView): string {
  if (usage === null) return "";
  const tokens = `${short(usage.inputTokens)} → ${short(usage.outputTokens)}`;
  return usage.costMicros === null ? tokens : `${tokens}, ${money(usage.costMicros)}`;
}
