import type { AccountLine } from "../../src/domain/evidence/account.ts";
import { count } from "../parts/figures.ts";
import { Section } from "../parts/section.tsx";

/** A place that nothing shows may be accepted by a person, or explained by the goal. */
type Word = AccountLine["standing"] | "gap" | "left" | "explained";

const ORDER: Word[] = ["not-judged", "gap", "explained", "left", "shown", "same", "inert"];

const OPEN: Word[] = ["not-judged", "gap"];

const WORDS: Record<Word, { title: string; sign: string }> = {
  "not-judged": { title: "not judged", sign: "?" },
  gap: { title: "has a gap", sign: "?" },
  explained: { title: "asked for, not shown", sign: "≈" },
  left: { title: "accepted by a person", sign: "○" },
  shown: { title: "shown", sign: "✓" },
  same: { title: "same as before", sign: "=" },
  inert: { title: "does nothing", sign: "·" },
};

/** Every place of the change with its standing, the open ones first. */
export function Account({ lines }: { lines: AccountLine[] }) {
  const sorted = lines.toSorted((a, b) => ORDER.indexOf(wordOf(a)) - ORDER.indexOf(wordOf(b)));
  const open = lines.filter((line) => OPEN.includes(wordOf(line))).length;
  return (
    <Section
      title="Every place of the change"
      aside={open === 0 ? "none is open" : `${count(open, "place is", "places are")} open`}
    >
      <div class="scrolled" tabIndex={0} role="group" aria-label="Places of the change">
        <table class="account">
          <thead>
            <tr>
              <th scope="col">Standing</th>
              <th scope="col">Place</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((line) => (
              <Place key={`${line.path} ${line.unit ?? ""} ${JSON.stringify(line.lines ?? [])}`} line={line} />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Place({ line }: { line: AccountLine }) {
  const { path, unit, lines = [], why, explained } = line;
  const word = wordOf(line);
  return (
    <tr class={word}>
      <td>
        <span class={`standing ${word}`}>
          <span aria-hidden="true">{WORDS[word].sign}</span> {WORDS[word].title}
        </span>
      </td>
      <td>
        <code>
          {path}
          {lines.length > 0 && `:${lines.map(({ from, to }) => (from === to ? from : `${from}–${to}`)).join(", ")}`}
        </code>
        {unit !== undefined && <span class="unit">{unit}</span>}
      </td>
      <td>
        {why}
        {explained !== undefined && <span class="more">{explained}</span>}
      </td>
    </tr>
  );
}

function wordOf({ standing, left, explained, partly }: AccountLine): Word {
  if (standing !== "not-judged") return standing;
  if (left) return "left";
  if (explained !== undefined) return "explained";
  return partly ? "gap" : "not-judged";
}
