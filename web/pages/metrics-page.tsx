import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { useResource } from "../live/use-resource.ts";
import { count, duration, money, percent, short } from "../parts/figures.ts";
import { Hint, Trouble, Waiting } from "../parts/notice.tsx";
import { Plot } from "../parts/plot.tsx";
import { byDay } from "../parts/plot-shape.ts";
import { Section } from "../parts/section.tsx";
import type { TaskFigures, Used } from "../shapes.ts";

const WINDOWS = [7, 30, 90, 365];

interface Curve {
  title: string;
  kind: "bars" | "line";
  of(figures: TaskFigures): number | null;
  format(value: number): string;
  top?: number;
}

const CURVES: Curve[] = [
  { title: "Success", kind: "line", of: ({ successRate }) => successRate, format: percent, top: 1 },
  { title: "Tasks", kind: "bars", of: ({ tasks }) => tasks, format: String },
  { title: "Cost", kind: "bars", of: ({ costMicros }) => costMicros, format: money },
  { title: "Time for a task", kind: "line", of: ({ taskMs }) => taskMs, format: duration },
  {
    title: "Iterations to success",
    kind: "line",
    of: (one) => one.iterationsToSuccess,
    format: (value) => value.toFixed(1),
  },
  { title: "Tests that flip", kind: "line", of: ({ flakiness }) => flakiness, format: percent },
];

/** How tasks went, over time and by what they were made with. */
export function MetricsPage() {
  const [days, setDays] = useState(30);
  const all = useResource((signal) => api.taskFigures(days, "all", signal), [days]);
  const daily = useResource((signal) => api.taskFigures(days, "day", signal), [days]);
  const languages = useResource((signal) => api.taskFigures(days, "language", signal), [days]);
  const roles = useResource((signal) => api.usageFigures(days, "role", signal), [days]);
  const models = useResource((signal) => api.usageFigures(days, "model", signal), [days]);
  const [summary] = all.value?.groups ?? [];
  const groups = daily.value?.groups ?? [];
  const now = Date.now();
  return (
    <>
      <h1 tabIndex={-1}>Metrics</h1>
      <div class="chips filters" role="group" aria-label="Days">
        {WINDOWS.map((window) => (
          <button type="button" key={window} aria-pressed={days === window} onClick={() => setDays(window)}>
            {count(window, "day")}
          </button>
        ))}
      </div>
      <Trouble problem={all.problem ?? daily.problem} />
      {!all.value && !all.problem && <Waiting what="Counting" />}
      {all.value && !summary && <Hint>No task was started in this time.</Hint>}
      {summary && <Summary figures={summary} />}
      <div class="plots">
        {CURVES.map(({ title, kind, of, format, top }) => (
          <Plot
            key={title}
            title={title}
            kind={kind}
            format={format}
            points={byDay(new Map(groups.map((one) => [one.key, of(one)])), days, now)}
            {...(top !== undefined && { top })}
          />
        ))}
      </div>
      <div class="tables">
        <UsageTable title="By model" groups={models.value?.groups ?? []} />
        <UsageTable title="By role" groups={roles.value?.groups ?? []} />
        <LanguageTable groups={languages.value?.groups ?? []} />
      </div>
    </>
  );
}

function Summary({ figures }: { figures: TaskFigures }) {
  const shown: [string, string][] = [
    ["tasks", String(figures.tasks)],
    ["success", percent(figures.successRate)],
    ["proven", String(figures.proven)],
    ["cost", money(figures.costMicros)],
    ["cost of a task", figures.costPerTaskMicros === null ? "–" : money(figures.costPerTaskMicros)],
    ["mutants noticed", percent(figures.mutationScore)],
    ["changed lines run", percent(figures.coverage)],
    ["refused by safety", String(figures.safetyViolations)],
  ];
  return (
    <dl class="measured">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function UsageTable({ title, groups }: { title: string; groups: Used[] }) {
  if (groups.length === 0) return null;
  return (
    <Section title={title}>
      <div class="scrolled" tabIndex={0} role="group" aria-label={title}>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Calls</th>
              <th scope="col">In</th>
              <th scope="col">Out</th>
              <th scope="col">Cost</th>
              <th scope="col">Time</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(({ key, calls, inputTokens, outputTokens, costMicros, unpriced, durationMs }) => (
              <tr key={key}>
                <th scope="row">{key}</th>
                <td>{calls}</td>
                <td>{short(inputTokens)}</td>
                <td>{short(outputTokens)}</td>
                <td>{unpriced === calls ? "no price" : money(costMicros)}</td>
                <td>{duration(durationMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function LanguageTable({ groups }: { groups: TaskFigures[] }) {
  if (groups.length === 0) return null;
  return (
    <Section title="By language">
      <div class="scrolled" tabIndex={0} role="group" aria-label="By language">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Language</th>
              <th scope="col">Tasks</th>
              <th scope="col">Success</th>
              <th scope="col">Iterations</th>
              <th scope="col">Cost of a task</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(({ key, tasks, successRate, iterationsToSuccess, costPerTaskMicros }) => (
              <tr key={key}>
                <th scope="row">{key}</th>
                <td>{tasks}</td>
                <td>{percent(successRate)}</td>
                <td>{iterationsToSuccess === null ? "–" : iterationsToSuccess.toFixed(1)}</td>
                <td>{costPerTaskMicros === null ? "–" : money(costPerTaskMicros)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
