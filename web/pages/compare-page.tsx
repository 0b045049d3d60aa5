import { useState } from "preact/hooks";
import { describeNoticed } from "../../src/domain/evidence/describe-noticed.ts";
import { api } from "../api.ts";
import { DiffView } from "../code/diff-view.tsx";
import { useResource } from "../live/use-resource.ts";
import { count, duration, money, short } from "../parts/figures.ts";
import { Mark } from "../parts/mark.tsx";
import { Hint, Trouble, Waiting } from "../parts/notice.tsx";
import { Section } from "../parts/section.tsx";
import { hrefOf, taskHref } from "../route.ts";
import type { EvidenceDocument, TaskView } from "../shapes.ts";

/** One side: what there is of a task. Evidence and change may be missing. */
interface Side {
  task: TaskView;
  evidence: EvidenceDocument | null;
  patch: string;
}

/** Two runs side by side: forks, other models, another wording of the goal. */
export function ComparePage({ left, right }: { left: string; right: string }) {
  const sides = useResource(
    (signal) => Promise.all([left, right].filter((id) => id !== "").map((id) => readSide(id, signal))),
    [left, right],
  );
  const [first, second] = sides.value ?? [];
  return (
    <>
      <h1 tabIndex={-1}>Compare</h1>
      <Choice left={left} right={right} />
      <Trouble problem={sides.problem} />
      {!sides.value && !sides.problem && <Waiting what="Asking for both" />}
      {first && second ? (
        <Comparison sides={[first, second]} />
      ) : (
        <Hint>Choose two tasks: a fork and its parent, or the same goal with two models.</Hint>
      )}
    </>
  );
}

async function readSide(id: string, signal: AbortSignal): Promise<Side> {
  const [task, evidence, patch] = await Promise.all([
    api.task(id, signal),
    api.evidence(id, signal).catch(() => null),
    api.diff(id, signal).catch(() => ""),
  ]);
  return { task, evidence, patch };
}

function Choice({ left, right }: { left: string; right: string }) {
  const recent = useResource((signal) => api.tasks({ limit: 100 }, signal), []).value?.tasks ?? [];
  const [pair, setPair] = useState({ left, right });
  const choose = (event: SubmitEvent) => {
    event.preventDefault();
    location.hash = hrefOf({ page: "compare", left: pair.left.trim(), right: pair.right.trim() });
  };
  return (
    <form class="choice" onSubmit={choose}>
      {(["left", "right"] as const).map((side) => (
        <div key={side}>
          <label for={`compare-${side}`}>{side === "left" ? "One task" : "The other"}</label>
          <input
            id={`compare-${side}`}
            list="compare-tasks"
            value={pair[side]}
            onInput={(event) => setPair({ ...pair, [side]: event.currentTarget.value })}
          />
        </div>
      ))}
      <datalist id="compare-tasks">
        {recent.map(({ id, goal }) => (
          <option key={id} value={id}>
            {goal.slice(0, 80)}
          </option>
        ))}
      </datalist>
      <button type="submit" disabled={pair.left.trim() === "" || pair.right.trim() === ""}>
        Compare
      </button>
    </form>
  );
}

function Comparison({ sides }: { sides: [Side, Side] }) {
  const [a, b] = sides;
  const same = a.patch !== "" && a.patch === b.patch;
  return (
    <div class="comparison">
      <div class="scrolled" tabIndex={0} role="group" aria-label="Facts of both">
        <table class="facts-of-both">
          <thead>
            <tr>
              <td />
              {sides.map(({ task }) => (
                <th scope="col" key={task.id}>
                  <a href={taskHref(task.id)}>{task.id}</a>
                  <span class="goal">{task.goal}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {FACTS.map(({ name, of }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {sides.map((side) => (
                  <td key={side.task.id}>{of(side)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Section title="Requirements">
        <RequirementPairs sides={sides} />
      </Section>
      <Section title="Changes" aside={same ? "both made the same change" : undefined}>
        <div class="pair">
          {(same ? [a] : sides).map(({ task, patch }) => (
            <div key={task.id}>
              <h3>{same ? "Both" : task.id}</h3>
              <DiffView patch={patch} />
            </div>
          ))}
        </div>
      </Section>
    </div>
  );
}

const FACTS: { name: string; of(side: Side): preact.ComponentChildren }[] = [
  { name: "State", of: ({ task }) => <Mark state={task.state} /> },
  { name: "Cost", of: ({ task }) => money(task.costMicros) },
  { name: "Tokens", of: ({ task }) => short(task.tokens) },
  { name: "Time", of: ({ task }) => duration(task.updatedAt - task.createdAt) },
  { name: "Work", of: ({ task }) => count(task.iterations, "iteration") },
  {
    name: "Models",
    of: ({ evidence }) => [...new Set(Object.values(evidence?.models ?? {}).flat())].join(", ") || "–",
  },
  { name: "Files", of: ({ evidence }) => (evidence ? count(evidence.change.files.length, "file") : "–") },
  {
    name: "Mutants",
    of: ({ evidence }) => (evidence?.mutants ? describeNoticed(evidence.mutants) : "–"),
  },
  { name: "Summary", of: ({ evidence, task }) => evidence?.verdict.summary ?? task.failure?.message ?? "–" },
];

/** By their words: the ids of two plans have nothing to do with each other. */
function RequirementPairs({ sides }: { sides: [Side, Side] }) {
  const texts = [...new Set(sides.flatMap(({ evidence }) => (evidence?.requirements ?? []).map(({ text }) => text)))];
  if (texts.length === 0) return <Hint>Neither has evidence yet.</Hint>;
  const words = { "red-to-green": "✓ shown", held: "= kept", none: "✗ not shown" };
  return (
    <ul class="requirement-pairs">
      {texts.map((text) => (
        <li key={text}>
          <span>{text}</span>
          {sides.map(({ task, evidence }) => {
            const support = evidence?.requirements.find((one) => one.text === text)?.support;
            return (
              <span key={task.id} class={support === undefined ? "hint" : support === "none" ? "bad" : "good"}>
                {support === undefined ? "not asked" : words[support]}
              </span>
            );
          })}
        </li>
      ))}
    </ul>
  );
}
