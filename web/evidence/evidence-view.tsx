import { describeNoticed } from "../../src/domain/evidence/describe-noticed.ts";
import { DiffView } from "../code/diff-view.tsx";
import { count, duration, moment, money, percent, short } from "../parts/figures.ts";
import { Mark } from "../parts/mark.tsx";
import { Hint } from "../parts/notice.tsx";
import { Section } from "../parts/section.tsx";
import type { EvidenceDocument } from "../shapes.ts";
import { Account } from "./account.tsx";
import { Behaviour } from "./behaviour.tsx";
import { lineNotes } from "./line-notes.ts";
import { Remarks } from "./remarks.tsx";
import { Requirements } from "./requirements.tsx";
import { Tests } from "./tests.tsx";

const ORACLES: Record<EvidenceDocument["verdict"]["carriedBy"][number], string> = {
  accept: "commands you accept as proof",
  "own-suite": "the project's own tests",
  "confirmed-examples": "examples a person confirmed",
  "model-tests": "tests a model wrote",
  "change-tests": "tests that came with the change",
};

interface EvidenceViewProps {
  document: EvidenceDocument;
  /** Empty: the code is not there. */
  patch: string;
}

/** One document, wherever it comes from: what is claimed, what shows it, and what was not checked. */
export function EvidenceView({ document, patch }: EvidenceViewProps) {
  return (
    <div class="evidence">
      <Verdict document={document} />
      <Measured document={document} />
      {document.requirements.length > 0 && <Requirements document={document} />}
      {document.account && <Account lines={document.account} />}
      <Behaviour document={document} />
      <Section title="The change" aside={count(document.change.files.length, "file")}>
        {patch === "" ? <Files document={document} /> : <DiffView patch={patch} notesOf={lineNotes(document)} />}
      </Section>
      <Tests document={document} />
      <Remarks document={document} />
      <Origin document={document} />
    </div>
  );
}

function Verdict({ document }: { document: EvidenceDocument }) {
  const { verdict, change, at } = document;
  return (
    <section class={`verdict ${verdict.status}`} aria-label="Verdict">
      <p class="word">
        <Mark state={verdict.status} />
      </p>
      <p class="summary">{withoutStatus(verdict.summary)}</p>
      {verdict.reasons.length > 0 && (
        <ul>
          {verdict.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <p class="hint">
        {verdict.carriedBy.length > 0 &&
          `Carried by ${verdict.carriedBy.map((oracle) => ORACLES[oracle]).join(", ")}. `}
        {change.since !== undefined && `Change since ${change.since}. `}
        Made {moment(at)}.
        {document.sameModel === true && " Tester and coder were the same model: both may have misread the goal."}
      </p>
    </section>
  );
}

/** The word stands above it. */
function withoutStatus(summary: string): string {
  const rest = summary.replace(/^[a-z ]+: /, "");
  return `${rest.slice(0, 1).toUpperCase()}${rest.slice(1)}`;
}

/** The figures at one glance. */
function Measured({ document }: { document: EvidenceDocument }) {
  const { mutants, coverage, flakes, suite, stages } = document;
  const took = stages?.reduce((sum, { ms }) => sum + ms, 0);
  const shown = document.requirements.filter(({ support }) => support !== "none").length;
  return (
    <dl class="measured">
      {document.requirements.length > 0 && (
        <Figure
          name="requirements shown"
          value={`${shown} of ${document.requirements.length}`}
          good={shown === document.requirements.length}
        />
      )}
      {suite?.after && (
        <Figure
          name="tests after"
          value={`${suite.after.passed} passed, ${suite.after.red} red`}
          good={suite.after.red === 0}
        />
      )}
      {mutants && <Figure name="mutants" value={describeNoticed(mutants)} good={mutants.counts.survived === 0} />}
      {coverage && coverage.share !== null && (
        <Figure name="changed lines run" value={percent(coverage.share)} good={coverage.share === 1} />
      )}
      {flakes && (
        <Figure name="flipped in repeats" value={String(flakes.flipped.length)} good={flakes.flipped.length === 0} />
      )}
      {took !== undefined && took > 0 && <Figure name="stages in sum" value={duration(took)} good />}
    </dl>
  );
}

function Figure({ name, value, good }: { name: string; value: string; good: boolean }) {
  return (
    <div class={good ? "" : "short"}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Files({ document }: { document: EvidenceDocument }) {
  return (
    <>
      <Hint>The code is not here: open the bundle's change.patch with it.</Hint>
      <ul class="plain-list">
        {document.change.files.map(({ path, change, part }) => (
          <li key={path}>
            <code>{path}</code> {change}
            {part === undefined ? "" : `, ${part}`}
          </li>
        ))}
      </ul>
    </>
  );
}

/** With what it was made: so that somebody else can make it again. */
function Origin({ document }: { document: EvidenceDocument }) {
  const { versions, models, hashes, sandbox, cost, producer } = document;
  const pairs: [string, string][] = [
    ["made by", producer === "run" ? "a task" : "a proof of a change"],
    ["sandbox", sandbox],
    ...Object.entries(versions),
    ...Object.entries(models).map(([role, names]): [string, string] => [role, names.join(", ")]),
    ["base tree", hashes.baseTree ?? "none"],
    ["result tree", hashes.resultTree ?? "none"],
  ];
  return (
    <Section
      title="Made with"
      aside={cost && `${money(cost.micros)}, ${short(cost.tokens)} tokens, ${count(cost.calls, "call")}`}
    >
      <dl class="origin">
        {pairs.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
