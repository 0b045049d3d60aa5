import type { SeenTest, TaskStory, TestRun } from "../live/task-story.ts";
import { clock, count } from "../parts/figures.ts";
import { Section } from "../parts/section.tsx";

const MOST_RUNS = 48;
const MOST_TESTS = 40;

const SCOPES: Record<string, string> = {
  "red-check": "new tests on the old code",
  visible: "the coder's own run",
  suite: "the whole suite",
  gate: "gate",
  accept: "accepted command",
  "held-out": "unseen tests",
};

/** Runs of tests one after another, and each test that was red once: how it turns green. */
export function TestBoard({ story }: { story: TaskStory }) {
  const runs = story.runs.slice(-MOST_RUNS);
  const most = Math.max(1, ...runs.map(({ passed, red }) => passed + red));
  const tests = [...story.tests.values()];
  const red = tests.filter((test) => test.red);
  const turned = tests.length - red.length;
  const last = runs.at(-1);
  return (
    <Section
      title="Tests"
      aside={`${red.length === 0 ? "none red" : `${red.length} red`}${turned > 0 ? `, ${turned} turned green` : ""}`}
    >
      <ol class="runs" aria-label="Runs of the tests">
        {runs.map((run) => (
          <Run key={run.number} run={run} most={most} />
        ))}
      </ol>
      {last && (
        <p class="hint">
          Last: {SCOPES[last.scope] ?? last.scope}, {last.passed} passed, {last.red} red
          {last.skipped > 0 ? `, ${last.skipped} skipped` : ""}, {clock(last.at)}
        </p>
      )}
      <ul class="seen-tests">
        {tests
          .toSorted((a, b) => Number(b.red) - Number(a.red) || b.at - a.at)
          .slice(0, MOST_TESTS)
          .map((test) => (
            <Test key={test.id} test={test} />
          ))}
      </ul>
      {tests.length > MOST_TESTS && <p class="hint">and {count(tests.length - MOST_TESTS, "test")} more</p>}
    </Section>
  );
}

function Run({ run, most }: { run: TestRun; most: number }) {
  const { scope, passed, red, green, at } = run;
  const words = `${SCOPES[scope] ?? scope}: ${passed} passed, ${red} red, ${clock(at)}`;
  return (
    <li title={words} class={scope === "red-check" ? "expected" : green ? "green" : "red"}>
      <span class="bad" style={{ height: `${(red / most) * 100}%` }} />
      <span class="good" style={{ height: `${(passed / most) * 100}%` }} />
      <span class="unseen">{words}</span>
    </li>
  );
}

function Test({ test }: { test: SeenTest }) {
  return (
    <li class={test.red ? "red" : "green"}>
      <details>
        <summary>
          <span class="sign" aria-hidden="true">
            {test.red ? "✗" : "✓"}
          </span>
          <span class="unseen">{test.red ? "red: " : "turned green: "}</span>
          <code>{test.id}</code>
        </summary>
        <pre>{test.message === "" ? "It says nothing." : test.message}</pre>
      </details>
    </li>
  );
}
