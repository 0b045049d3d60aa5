import { useMemo, useState } from "preact/hooks";
import { api } from "../api.ts";
import { announce } from "../live/announce.ts";
import { useNow, useResource } from "../live/use-resource.ts";
import { count } from "../parts/figures.ts";
import { Hint, Trouble, Waiting } from "../parts/notice.tsx";
import { useAction } from "../parts/use-action.ts";
import { When } from "../parts/when.tsx";
import { taskHref } from "../route.ts";
import type { MemoryEffect, MemoryRecord } from "../shapes.ts";

const STATUSES = ["active", "quarantined", "pruned"] as const;

/** What was learnt, whether it helps, and a way to forget it. */
export function MemoryPage() {
  const now = useNow(60_000);
  const found = useResource((signal) => api.memory(signal), []);
  const [status, setStatus] = useState<(typeof STATUSES)[number]>("active");
  const [words, setWords] = useState("");
  const records = found.value?.records;
  const shown = useMemo(
    () => (records ?? []).filter((record) => record.status === status && matches(record, words)),
    [records, status, words],
  );
  return (
    <>
      <h1 tabIndex={-1}>Memory</h1>
      <div class="filters">
        <search>
          <label class="unseen" for="memory-search">
            Search lessons and patterns
          </label>
          <input
            id="memory-search"
            type="search"
            placeholder="Search lessons and patterns"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </search>
        <div class="chips" role="group" aria-label="Status">
          {STATUSES.map((one) => (
            <button type="button" key={one} aria-pressed={status === one} onClick={() => setStatus(one)}>
              {one} <span class="figure">{(records ?? []).filter((record) => record.status === one).length}</span>
            </button>
          ))}
        </div>
      </div>
      <Trouble problem={found.problem} />
      {!records && !found.problem && <Waiting what="Remembering" />}
      {records && shown.length === 0 && (
        <Hint>
          {records.length === 0
            ? "Nothing was learnt yet. Lessons come from what went wrong and was mended."
            : "No record fits."}
        </Hint>
      )}
      <ul class="records">
        {shown.map((record) => (
          <Record key={record.id} record={record} now={now} onForgotten={found.reload} />
        ))}
      </ul>
    </>
  );
}

function Record({ record, now, onForgotten }: { record: MemoryRecord; now: number; onForgotten(): void }) {
  const [sure, setSure] = useState(false);
  const forgetting = useAction();
  const forget = () =>
    forgetting.run(async () => {
      await api.forget([record.id]);
      announce("Forgotten");
      onForgotten();
    });
  const { kind, scope, language, task, createdAt, effect } = record;
  return (
    <li class="record">
      <p class="about">
        <span class="tag">{kind}</span>
        <span>
          {language}, {scope}
        </span>
        <When at={createdAt} now={now} />
        {task !== "" && <a href={taskHref(task)}>its task</a>}
      </p>
      <h2>{titleOf(record)}</h2>
      <p>{wordsOf(record)}</p>
      <EffectLine effect={effect} />
      {record.kind === "lesson" && (
        <details>
          <summary>The error{record.diff === null ? "" : " and what mended it"}</summary>
          <pre>{record.error}</pre>
          {record.diff !== null && <pre>{record.diff}</pre>}
        </details>
      )}
      <div class="buttons">
        {sure ? (
          <>
            <button type="button" class="danger" disabled={forgetting.busy} onClick={forget}>
              Forget it for good
            </button>
            <button type="button" onClick={() => setSure(false)}>
              Keep it
            </button>
          </>
        ) : (
          <button type="button" onClick={() => setSure(true)}>
            Forget
          </button>
        )}
      </div>
      <Trouble problem={forgetting.problem} />
    </li>
  );
}

/** How much more often tasks succeed with it than without, and how sure that is. */
function EffectLine({ effect }: { effect: MemoryEffect }) {
  const { uses, shown, heldBack, uplift, interval } = effect;
  const place = (value: number) => 50 + Math.max(-1, Math.min(1, value)) * 50;
  const words =
    uses === 0
      ? "Not used yet"
      : `Used in ${count(uses, "task")}: ${shown.wins} of ${shown.tries} won with it, ${heldBack.wins} of ${heldBack.tries} without`;
  return (
    <div class="effect">
      <svg
        viewBox="0 0 100 10"
        role="img"
        aria-label={`Effect ${signed(uplift)}, between ${signed(interval.low)} and ${signed(interval.high)}`}
      >
        <path class="zero" d="M50 0V10" />
        <path class="interval" d={`M${place(interval.low)} 5H${place(interval.high)}`} />
        <circle cx={place(uplift)} cy="5" r="2.6" />
      </svg>
      <span class="hint">
        {words}. Effect {signed(uplift)}
      </span>
    </div>
  );
}

const signed = (value: number): string => `${value > 0 ? "+" : ""}${Math.round(value * 100)} %`;

const titleOf = (record: MemoryRecord): string =>
  record.kind === "lesson" ? `${record.errorType}: ${record.signature}` : record.problemType;

const wordsOf = (record: MemoryRecord): string =>
  record.kind === "lesson" ? (record.reason ?? "Nothing has mended it yet.") : record.description;

function matches(record: MemoryRecord, words: string): boolean {
  const text = `${titleOf(record)} ${wordsOf(record)} ${record.language} ${record.kind}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
