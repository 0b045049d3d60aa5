import { count } from "../parts/figures.ts";
import { Section } from "../parts/section.tsx";
import type { EvidenceDocument } from "../shapes.ts";
import { TestRow } from "./tests.tsx";

type Requirement = EvidenceDocument["requirements"][number];

const SUPPORT: Record<Requirement["support"], { sign: string; words: string }> = {
  "red-to-green": { sign: "✓", words: "shown: red before, green now" },
  held: { sign: "=", words: "kept: true before and still" },
  none: { sign: "✗", words: "not shown" },
};

const DOUBTS: Record<NonNullable<Requirement["doubt"]>, string> = {
  "seen-only": "The coder saw all of its tests.",
  "unseen-unusable": "None of its unseen tests can show it.",
  unnoticed: "Its tests notice no small change of the changed lines.",
  "only-tested": "Its tests pass only where a test runner is around.",
  unwitnessed: "Nobody could see its tests pass without the runner.",
};

/** Requirement by requirement: the words, and what shows them. */
export function Requirements({ document }: { document: EvidenceDocument }) {
  return (
    <Section title="Requirements">
      <ol class="requirements">
        {document.requirements.map((requirement) => (
          <RequirementItem key={requirement.id} requirement={requirement} document={document} />
        ))}
      </ol>
    </Section>
  );
}

function RequirementItem({ requirement, document }: { requirement: Requirement; document: EvidenceDocument }) {
  const { id, text, quote, assumption, support, doubt, unmeasured } = requirement;
  const tests = document.tests.filter((test) => requirement.tests.includes(test.id));
  const killed = document.mutants?.requirements.find((one) => one.id === id)?.killed.length;
  return (
    <li class={support}>
      <p class="support">
        <span class="sign" aria-hidden="true">
          {SUPPORT[support].sign}
        </span>
        <span>{SUPPORT[support].words}</span>
      </p>
      <h3>
        <span class="id">{id}</span> {text}
      </h3>
      <p class="hint">
        {assumption ? "An assumption: you did not say it." : quote !== undefined && <>Your words: “{quote}”.</>}
        {killed !== undefined && ` Its tests notice ${count(killed, "mutant")}.`}
      </p>
      {doubt !== undefined && <p class="bad">{DOUBTS[doubt]}</p>}
      {unmeasured !== undefined && <p class="hint">{unmeasured}</p>}
      {tests.length > 0 && (
        <ul class="test-list">
          {tests.map((test) => (
            <TestRow key={test.id} test={test} />
          ))}
        </ul>
      )}
    </li>
  );
}
