import { count, duration } from "../parts/figures.ts";
import { Section } from "../parts/section.tsx";
import type { EvidenceDocument } from "../shapes.ts";

type Test = EvidenceDocument["tests"][number];

const ROLES: Record<Test["role"], { words: string; tone: "good" | "bad" | "quiet" }> = {
  "red-to-green": { words: "turned green", tone: "good" },
  held: { words: "held", tone: "quiet" },
  guard: { words: "green before, too", tone: "quiet" },
  "still-red": { words: "red before, too", tone: "quiet" },
  broken: { words: "broken", tone: "bad" },
  gone: { words: "gone", tone: "bad" },
  moved: { words: "moved", tone: "quiet" },
  red: { words: "red", tone: "bad" },
  flaky: { words: "flaky", tone: "bad" },
  void: { words: "ruled out", tone: "quiet" },
};

const ORIGINS: Record<Test["origin"], string> = {
  own: "the project's own",
  change: "came with the change",
  visible: "shown to the coder",
  "held-out": "unseen by the coder",
};

/** All tests that say something, and how many only held. */
export function Tests({ document }: { document: EvidenceDocument }) {
  const { tests, suite, accept } = document;
  const telling = tests.filter(({ role }) => role !== "held" && role !== "still-red");
  const held = tests.filter(({ role }) => role === "held").length;
  return (
    <Section title="Tests" aside={held > 0 ? `${held} held` : undefined}>
      {suite && (
        <p class="hint">
          <code>{suite.command}</code> before: {runOf(suite.before)}; after: {runOf(suite.after)}
        </p>
      )}
      <ul class="test-list">
        {accept.map(({ command, before, after, brought }) => (
          <li key={command} class={after.passed ? "good" : "bad"}>
            <span class="change">
              <Outcome outcome={before === undefined ? "absent" : before.passed ? "passed" : "failed"} />
              <span aria-hidden="true">→</span>
              <Outcome outcome={after.passed ? "passed" : "failed"} />
            </span>
            <code>$ {command}</code>
            <span class="tag">accepted command{brought ? ", judges with a file of the change" : ""}</span>
          </li>
        ))}
        {telling.map((test) => (
          <TestRow key={test.id} test={test} />
        ))}
      </ul>
      {telling.length === 0 && accept.length === 0 && <p class="hint">No test tells anything of this change.</p>}
    </Section>
  );
}

/** One test before and after. */
export function TestRow({ test }: { test: Test }) {
  const { id, role, origin, before, after, onOldCode, spent, message } = test;
  return (
    <li class={ROLES[role].tone}>
      <span class="change">
        <Outcome outcome={onOldCode ?? before} />
        <span aria-hidden="true">→</span>
        <span class="unseen">, then </span>
        <Outcome outcome={after} />
      </span>
      <code>{id}</code>
      <span class="tag">
        {ROLES[role].words}, {ORIGINS[origin]}
        {spent ? ", spent" : ""}
      </span>
      {message !== undefined && (
        <details>
          <summary>What it says</summary>
          <pre>{message}</pre>
        </details>
      )}
    </li>
  );
}

const SIGNS: Record<string, string> = { passed: "✓", failed: "✗", error: "✗", skipped: "–", absent: "∅" };

function Outcome({ outcome }: { outcome: string }) {
  return (
    <span class={`outcome ${outcome}`}>
      <span aria-hidden="true">{SIGNS[outcome] ?? "✗"}</span> {outcome}
    </span>
  );
}

type Run = NonNullable<EvidenceDocument["suite"]>["before"];

const runOf = (run: Run): string =>
  run ? `${count(run.passed, "test")} passed, ${run.red} red (${duration(run.durationMs)})` : "nothing to run";
