import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api.ts";
import { useResource } from "../live/use-resource.ts";
import { duration, moment, money, short } from "../parts/figures.ts";
import { Trouble, Waiting } from "../parts/notice.tsx";
import { useAction } from "../parts/use-action.ts";
import { taskHref } from "../route.ts";
import type { StepDetail, TaskView } from "../shapes.ts";
import { readAnswer, readConversation, type Said } from "./read-step.ts";

interface StepPanelProps {
  task: TaskView;
  number: number;
  onClose(): void;
}

/** One step: what it was given, what came of it, and a fork from here. */
export function StepPanel({ task, number, onClose }: StepPanelProps) {
  const found = useResource((signal) => api.step(task.id, number, signal), [task.id, number]);
  const heading = useRef<HTMLHeadingElement>(null);
  const step = found.value;
  useEffect(() => heading.current?.focus(), [number]);
  return (
    <aside
      class="step-panel"
      aria-label={`Step ${number}`}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header>
        <h2 ref={heading} tabIndex={-1}>
          Step {number}
        </h2>
        <button type="button" class="plain" onClick={onClose}>
          Close
        </button>
      </header>
      <Trouble problem={found.problem} />
      {!step && !found.problem && <Waiting what="Asking for the step" />}
      {step && <StepContent task={task} step={step} />}
    </aside>
  );
}

function StepContent({ task, step }: { task: TaskView; step: StepDetail }) {
  const { path, kind, outcome, startedAt, endedAt, model, usage } = step;
  const asked = readConversation(step.input);
  const answered = readAnswer(step.output);
  return (
    <>
      <p>
        <code>{path}</code>
      </p>
      <dl class="facts">
        <div>
          <dt>Kind</dt>
          <dd>
            {kind}, {outcome}
          </dd>
        </div>
        <div>
          <dt>Took</dt>
          <dd title={moment(startedAt)}>{duration(endedAt - startedAt)}</dd>
        </div>
        {model !== null && (
          <div>
            <dt>Model</dt>
            <dd>{model}</dd>
          </div>
        )}
        {usage && (
          <div>
            <dt>Tokens</dt>
            <dd>
              {short(usage.inputTokens)} in ({short(usage.cachedInputTokens)} cached), {short(usage.outputTokens)} out
              {usage.costMicros === null ? "" : `, ${money(usage.costMicros)}`}
            </dd>
          </div>
        )}
      </dl>
      <h3>What came back</h3>
      {answered.length > 0 ? <Conversation said={answered} open /> : <Raw value={step.output} />}
      <h3>What it was given</h3>
      {asked.length > 0 ? <Conversation said={asked} /> : <Raw value={step.input} />}
      <ForkForm task={task} at={step.number} />
    </>
  );
}

/** The last word of a conversation is what is new; the others are folded. */
function Conversation({ said, open = false }: { said: Said[]; open?: boolean }) {
  return (
    <ol class="conversation">
      {said.map(({ by, text }, index) => (
        <li key={index}>
          <details open={open || index === said.length - 1}>
            <summary>
              {by} <span class="figure">{short(text.length)} characters</span>
            </summary>
            <pre>{text}</pre>
          </details>
        </li>
      ))}
    </ol>
  );
}

function Raw({ value }: { value: unknown }) {
  return <pre class="raw">{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</pre>;
}

/** The same past, another future. */
function ForkForm({ task, at }: { task: TaskView; at: number }) {
  const [model, setModel] = useState("");
  const forking = useAction();
  const fork = (event: SubmitEvent) => {
    event.preventDefault();
    forking.run(async () => {
      const wanted = model.trim();
      const made = await api.fork(task.id, { at, ...(wanted !== "" && { model: wanted }) });
      location.hash = taskHref(made.id);
    });
  };
  return (
    <form class="fork" onSubmit={fork}>
      <h3>Fork from here</h3>
      <label for="fork-model">A new task that does this step anew, with this model (empty: the same)</label>
      <div class="line">
        <input
          id="fork-model"
          value={model}
          placeholder="provider/name"
          spellcheck={false}
          onInput={(event) => setModel(event.currentTarget.value)}
        />
        <button type="submit" disabled={forking.busy}>
          Fork
        </button>
      </div>
      <Trouble problem={forking.problem} />
    </form>
  );
}
