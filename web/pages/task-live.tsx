import { useMemo, useState } from "preact/hooks";
import { api } from "../api.ts";
import { announce } from "../live/announce.ts";
import { hasEnded } from "../live/task-catalogue.ts";
import type { TaskStory } from "../live/task-story.ts";
import type { FeedLine } from "../live/tell-event.ts";
import { useResource } from "../live/use-resource.ts";
import { clock, count, duration, money, short } from "../parts/figures.ts";
import { Hint, Trouble } from "../parts/notice.tsx";
import { QuestionCard } from "../parts/question-card.tsx";
import { Section } from "../parts/section.tsx";
import { useAction } from "../parts/use-action.ts";
import { Candidates } from "../plan/candidates.tsx";
import { PlanGraph } from "../plan/plan-graph.tsx";
import { Timeline } from "../plan/timeline.tsx";
import type { PlanState, TaskView } from "../shapes.ts";
import { TestBoard } from "./test-board.tsx";

interface TaskLiveProps {
  task: TaskView;
  story: TaskStory;
  now: number;
  onAnswered(): void;
  onChoose(event: number): void;
}

/** What happens now, what waits for a person, and what it cost so far. */
export function TaskLive({ task, story, now, onAnswered, onChoose }: TaskLiveProps) {
  const { id } = task;
  const plan = useResource((signal) => api.plan(id, signal), [id], {
    version: [story.planChanges, task.state],
  }).value?.plan;
  const open = useResource((signal) => api.questions(id, signal), [id], {
    version: [task.questions, story.waiting.size],
  });
  const questions = task.questions > 0 ? (open.value?.approvals ?? []) : [];
  // The page is drawn again each second; what is large only when something was added to it.
  const timeline = useMemo(
    () => <Timeline spans={story.spans} size={story.spans.length} onChoose={onChoose} />,
    [story, story.spans.length],
  );
  const feed = useMemo(() => <Feed lines={story.feed} />, [story, story.feed.length]);
  const tests = useMemo(() => <TestBoard story={story} />, [story, story.runs.length]);
  const answered = () => {
    open.reload();
    onAnswered();
  };
  return (
    <div class="live">
      <div class="wide">
        {questions.length > 0 && (
          <Section title="It waits for you" class="asking">
            {questions.map((question) => (
              <QuestionCard key={question.id} question={question} now={now} onAnswered={answered} />
            ))}
          </Section>
        )}
        <Section title="Plan" class="planned" aside={plan && count(plan.todos.length, "todo")}>
          {plan ? (
            <>
              <PlanGraph plan={plan} story={story} busy={task.state === "running"} />
              <Understood spec={plan.spec} />
            </>
          ) : (
            <Hint>{hasEnded(task.state) ? "There is no plan." : "There is no plan yet."}</Hint>
          )}
        </Section>
        {story.candidates.map((choice) => (
          <Candidates key={choice.number} choice={choice} />
        ))}
        {story.runs.length > 0 && tests}
        {story.spans.length > 0 && <Section title="Timeline">{timeline}</Section>}
        <CostByRole id={id} story={story} />
      </div>
      <div class="side">
        {!hasEnded(task.state) && <TellForm id={id} />}
        {feed}
      </div>
    </div>
  );
}

/** What the goal was taken for, before anything is proven. */
function Understood({ spec: { requirements, outOfScope } }: { spec: PlanState["spec"] }) {
  const assumed = requirements.filter(({ assumption }) => assumption).length;
  return (
    <details class="understood">
      <summary>
        {count(requirements.length, "requirement")}
        {assumed > 0 && `, ${assumed} of them assumed`}
      </summary>
      <ol>
        {requirements.map(({ id, text, assumption }) => (
          <li key={id}>
            <code>{id}</code> {text} {assumption && <span class="tag">assumed</span>}
          </li>
        ))}
      </ol>
      {outOfScope.length > 0 && <p class="hint">Not part of it: {outOfScope.join("; ")}</p>}
    </details>
  );
}

/** What a person says becomes part of the spec. */
function TellForm({ id }: { id: string }) {
  const [words, setWords] = useState("");
  const telling = useAction();
  const tell = (event: SubmitEvent) => {
    event.preventDefault();
    telling.run(async () => {
      await api.tell(id, words.trim());
      setWords("");
      announce("Said");
    });
  };
  return (
    <form class="tell" onSubmit={tell}>
      <label for="tell">Tell it something: it becomes part of the spec</label>
      <div class="line">
        <input
          id="tell"
          value={words}
          placeholder="negative amounts are an error"
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <button type="submit" disabled={telling.busy || words.trim() === ""}>
          Tell
        </button>
      </div>
      <Trouble problem={telling.problem} />
    </form>
  );
}

/** As many lines as anybody reads; the steps have everything. */
const MOST_LINES = 150;

function Feed({ lines }: { lines: FeedLine[] }) {
  const [all, setAll] = useState(false);
  const shown = lines.filter(({ tone }) => all || tone !== "quiet").slice(-MOST_LINES);
  return (
    <Section
      title="What happened"
      class="happened"
      aside={
        <button type="button" class="plain" aria-pressed={all} onClick={() => setAll(!all)}>
          every step
        </button>
      }
    >
      {lines.length === 0 && <Hint>Nothing yet.</Hint>}
      <ol class="feed" reversed>
        {shown.toReversed().map((line) => (
          <li key={line.number} class={line.tone}>
            <time dateTime={new Date(line.at).toISOString()}>{clock(line.at)}</time>
            {line.detail === undefined ? (
              <p>{line.words}</p>
            ) : (
              <details>
                <summary>{line.words}</summary>
                <pre>{line.detail}</pre>
              </details>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

function CostByRole({ id, story }: { id: string; story: TaskStory }) {
  const usage = useResource((signal) => api.usage(id, signal), [id], { version: [story.workChanges] }).value;
  const roles = [...story.roles].sort(([, a], [, b]) => b.costMicros - a.costMicros || b.durationMs - a.durationMs);
  const most = Math.max(1, ...roles.map(([, { inputTokens, outputTokens }]) => inputTokens + outputTokens));
  const spent = roles.reduce((sum, [, { costMicros }]) => sum + costMicros, 0);
  const budget = usage?.limits.maxCostMicros ?? null;
  if (roles.length === 0) return null;
  return (
    <Section title="Cost by role" aside={budget === null ? undefined : `${money(spent)} of ${money(budget)}`}>
      {budget !== null && <meter class="budget" min={0} max={budget} value={spent} aria-label="Spent of the budget" />}
      <div class="scrolled" tabIndex={0} role="group" aria-label="Cost by role">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Role</th>
              <th scope="col">Calls</th>
              <th scope="col">In</th>
              <th scope="col">Out</th>
              <th scope="col">Cost</th>
              <th scope="col">Time</th>
              <th scope="col" class="bar-head">
                <span class="unseen">Share</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {roles.map(([role, sums]) => (
              <tr key={role}>
                <th scope="row" title={[...sums.models].join(", ")}>
                  {role}
                </th>
                <td>{sums.calls}</td>
                <td>{short(sums.inputTokens)}</td>
                <td>{short(sums.outputTokens)}</td>
                <td>{sums.unpriced === sums.calls ? "no price" : money(sums.costMicros)}</td>
                <td>{duration(sums.durationMs)}</td>
                <td class="bar">
                  <span style={{ width: `${((sums.inputTokens + sums.outputTokens) / most) * 100}%` }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
