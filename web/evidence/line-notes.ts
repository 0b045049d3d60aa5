import type { LineNote, NotesOf } from "../code/diff-view.tsx";
import type { EvidenceDocument } from "../shapes.ts";

type Fate = NonNullable<EvidenceDocument["mutants"]>["results"][number]["fate"];

/** What the tests did about a small change of a line. What was not tried says nothing. */
const FATES: Record<Fate, { tone: LineNote["tone"]; sign: string; words: string } | null> = {
  killed: { tone: "good", sign: "✓", words: "a test notices" },
  "timed-out": { tone: "good", sign: "✓", words: "tests do not end with it" },
  compared: { tone: "good", sign: "✓", words: "calls come out otherwise with it" },
  survived: { tone: "bad", sign: "!", words: "no test notices" },
  "not-run": { tone: "quiet", sign: "·", words: "there was no time to try" },
  skipped: null,
};

/** For the gutter: mutants of each line of the result, and whether a test runs it. */
export function lineNotes({ mutants, coverage }: Pick<EvidenceDocument, "mutants" | "coverage">): NotesOf {
  const notes = new Map<string, LineNote[]>();
  const add = (path: string, line: number, note: LineNote) => {
    const key = `${path}:${line}`;
    notes.set(key, [...(notes.get(key) ?? []), note]);
  };
  for (const { mutant, fate, killedBy } of mutants?.results ?? []) {
    const told = FATES[fate];
    if (!told) continue;
    const by = killedBy.length > 0 ? `: ${killedBy.slice(0, 3).join(", ")}` : "";
    add(mutant.path, mutant.line, { ...told, words: `${mutant.description}: ${told.words}${by}` });
  }
  for (const file of coverage?.files ?? []) {
    if (!file.available) continue;
    for (const { from, to } of file.uncovered) {
      for (let line = from; line <= to; line += 1) {
        add(file.path, line, { tone: "bad", sign: "○", words: "no test runs this line" });
      }
    }
  }
  return (path, line) => notes.get(`${path}:${line}`) ?? [];
}
