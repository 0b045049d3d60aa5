import { replaceAll } from "../../../src/syntax/nodes.ts";
import { grammarOf, SyntaxParsers } from "../../../src/syntax/parse.ts";
import type { SourceText } from "./read-exercise.ts";
import { type Pieces, pythonPieces, scriptPieces, type TestPiece } from "./test-pieces.ts";

/** The tests of one requirement, as a person would list them. */
export interface TestGroup {
  title: string;
  seen: string[];
  heldOut: string[];
  /** For a tester who is asked for more. */
  spare: string[];
}

export interface SplitTests {
  groups: TestGroup[];
  seen: SourceText;
  heldOut: SourceText;
  spare: SourceText | null;
}

/** Five requirements are about what a person says at once, and each has about this many cases. */
const MOST_GROUPS = 5;
const CASES = 5;
const parsers = new SyntaxParsers();

/**
 * The track's tests in files of their own: one that the coder sees, one that it does not, and a reserve where there are
 * many. Each keeps the imports and helpers of the whole. Null where there are too few.
 */
export async function splitTests(file: SourceText): Promise<SplitTests | null> {
  const grammar = grammarOf(file.path);
  if (grammar === null) return null;
  const { root } = await parsers.parse(grammar, file.content);
  const pieces = grammar === "python" ? pythonPieces(file.content, root) : scriptPieces(file.content, root);
  const parted = groupsOf(pieces.tests.filter(({ isOff }) => !isOff)).map(({ title, tests }) => ({
    title,
    ...partTests(tests),
  }));
  const pick = (kind: "seen" | "heldOut" | "spare") => parted.flatMap((group) => group[kind]);
  if (pick("seen").length < 1 || pick("heldOut").length < 1) return null;
  const names = (tests: TestPiece[]) => [...new Set(tests.map(({ name }) => name))];
  const part = (suffix: string, tests: TestPiece[]) => ({
    path: file.path.replace(/([._-](?:test|spec)\.\w+)$/, `${suffix}$1`),
    content: only(file.content, pieces, tests),
  });
  const joint = /\.(py|go)$/.test(file.path) ? "_" : "-";
  return {
    groups: parted.map((group) => ({
      title: group.title || file.path,
      seen: names(group.seen),
      heldOut: names(group.heldOut),
      spare: names(group.spare),
    })),
    seen: part("", pick("seen")),
    heldOut: part(`${joint}unseen`, pick("heldOut")),
    spare: pick("spare").length > 0 ? part(`${joint}spare`, pick("spare")) : null,
  };
}

/** By the groups of the file; one that is alone, or too small to be split, goes with its neighbour. */
function groupsOf(tests: TestPiece[]): { title: string; tests: TestPiece[] }[] {
  const named = new Map<string, TestPiece[]>();
  for (const test of tests) {
    const title = test.groups.join(", ");
    named.set(title, [...(named.get(title) ?? []), test]);
  }
  let groups = [...named].map(([title, own]) => ({ title, tests: own }));
  const merged = (at: number) => {
    const [a, b] = [groups[at], groups[at + 1]];
    if (!a || !b) return groups;
    return groups.toSpliced(at, 2, { title: `${a.title}; ${b.title}`, tests: [...a.tests, ...b.tests] });
  };
  while (groups.length > 1) {
    const sizes = groups.map(({ tests: own }) => own.length);
    const least = sizes.indexOf(Math.min(...sizes));
    if ((sizes[least] ?? 0) >= 2 && groups.length <= MOST_GROUPS) break;
    groups = merged(Math.min(least, groups.length - 2));
  }
  return groups.flatMap((group) => inRuns(group, MOST_GROUPS - groups.length));
}

/** A long group without parts of its own is said in several sentences, too: cases that follow each other belong together. */
function inRuns(group: { title: string; tests: TestPiece[] }, more: number): { title: string; tests: TestPiece[] }[] {
  const runs = Math.min(Math.floor(group.tests.length / CASES), more + 1);
  if (runs < 2) return [group];
  const size = Math.ceil(group.tests.length / runs);
  return Array.from({ length: runs }, (_, run) => ({
    title: group.title,
    tests: group.tests.slice(run * size, (run + 1) * size),
  }));
}

/** In turn, so that each half has something of everything; one of a title stays with the other. */
function partTests(tests: TestPiece[]): Record<"seen" | "heldOut" | "spare", TestPiece[]> {
  const parts: Record<"seen" | "heldOut" | "spare", TestPiece[]> = { seen: [], heldOut: [], spare: [] };
  const places = new Map<string, "seen" | "heldOut" | "spare">();
  let turn = 0;
  for (const test of tests) {
    const isSpare = tests.length >= 8 && turn % 5 === 4;
    const place = places.get(test.name) ?? (isSpare ? "spare" : turn % 2 === 0 ? "seen" : "heldOut");
    if (!places.has(test.name)) turn += 1;
    places.set(test.name, place);
    parts[place].push(test);
  }
  return parts;
}

/** The file with these tests and no other; groups that lose all of theirs go, too. */
function only(text: string, { tests, groups, words }: Pieces, kept: TestPiece[]): string {
  const holds = (group: { from: number; to: number }, test: TestPiece) =>
    group.from <= test.from && test.to <= group.to;
  const empty = groups.filter(
    (group) => tests.some((test) => holds(group, test)) && !kept.some((test) => holds(group, test)),
  );
  const gone = [...empty, ...tests.filter((test) => !kept.includes(test))]
    .map(({ from, to }) => wholeLines(text, from, to))
    .sort((a, b) => a.from - b.from || b.to - a.to);
  const outermost = gone.filter(
    (one, at) => !gone.slice(0, at).some((other) => other.from <= one.from && one.to <= other.to),
  );
  const within = (at: number) => outermost.some(({ from, to }) => from <= at && at < to);
  const cut = replaceAll(text, [
    ...outermost.map((range) => ({ ...range, text: "" })),
    ...words.filter(({ from }) => !within(from)),
  ]);
  return importsOf(cut).replace(/\n{4,}/g, "\n\n\n");
}

/** With its line, and with the comment above it. */
function wholeLines(text: string, from: number, to: number): { from: number; to: number } {
  let start = text.lastIndexOf("\n", from - 1) + 1;
  for (;;) {
    const above = text.lastIndexOf("\n", start - 2) + 1;
    if (start === 0 || !/^[ \t]+(#|\/\/)/.test(text.slice(above, start))) break;
    start = above;
  }
  const end = text.indexOf("\n", to);
  const rest = end < 0 ? text.length : end + 1;
  return { from: start, to: text[rest] === "\n" ? rest + 1 : rest };
}

/** Who takes away the skips imports what is left. */
function importsOf(text: string): string {
  return text.replace(/^import \{([^}]*)\} from (['"])@jest\/globals\2/m, (_, names: string, quote: string) => {
    const had = names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && SKIPS[name] === undefined);
    const used = ["test", "it", "describe"].filter((name) => new RegExp(`^\\s*${name}\\(`, "m").test(text));
    return `import { ${[...new Set([...had, ...used])].join(", ")} } from ${quote}@jest/globals${quote}`;
  });
}

const SKIPS: Record<string, true> = { xtest: true, xit: true, xdescribe: true };
