import { createHash } from "node:crypto";
import { bareName } from "../../domain/evidence/match-test.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { type Replacement, replaceAll } from "../../syntax/nodes.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";

/** A held-out file as the gate runs it, under names that nobody could know before. */
interface DisguisedFile {
  path: string;
  content: string;
}

export interface TwinPair {
  /** As the tester wrote it. */
  of: { path: string; test: string };
  original: { path: string; name: string };
  twin: { path: string; name: string };
  /** The test with another expected value; absent where none is written out. */
  decoy?: { path: string; name: string };
}

interface Twins {
  originals: DisguisedFile[];
  twins: DisguisedFile[];
  decoys: DisguisedFile[];
  pairs: TwinPair[];
  /** Tests of which no twin can be made, with the reason. */
  without: { path: string; test: string; why: string }[];
}

/**
 * Each held-out test gets a twin with one assertion turned round, and both get random names. Where a test passes its
 * twin must fail: code that makes the runner say "passed" whatever it runs makes the twin pass too. Its decoy, which
 * only expects another value, must fail as well: a twin can be told by its form, a decoy cannot.
 */
export async function makeTwins(parsers: SyntaxParsers, files: TestFile[], seed: string): Promise<Twins> {
  const made: Twins = { originals: [], twins: [], decoys: [], pairs: [], without: [] };
  for (const file of files) {
    const names = file.covers.map(({ test }) => test);
    const original = await disguise(parsers, file, names, seed, "original");
    const twin = await disguise(parsers, file, names, seed, "twin");
    const decoy = await disguise(parsers, file, names, seed, "decoy");
    made.without.push(...twin.without.map(({ test, why }) => ({ path: file.path, test, why })));
    made.originals.push({ path: original.path, content: original.content });
    made.twins.push({ path: twin.path, content: twin.content });
    if (decoy.altered.length > 0) made.decoys.push({ path: decoy.path, content: decoy.content });
    for (const test of new Set(names)) {
      if (twin.without.some((one) => one.test === test)) continue;
      made.pairs.push({
        of: { path: file.path, test },
        original: { path: original.path, name: original.nameOf(test) },
        twin: { path: twin.path, name: twin.nameOf(test) },
        ...(decoy.altered.includes(test) && { decoy: { path: decoy.path, name: decoy.nameOf(test) } }),
      });
    }
  }
  return made;
}

interface Disguised extends DisguisedFile {
  nameOf(test: string): string;
  without: { test: string; why: string }[];
  /** The tests of a decoy that expect another value. */
  altered: string[];
}

async function disguise(
  parsers: SyntaxParsers,
  file: TestFile,
  names: string[],
  seed: string,
  kind: "original" | "twin" | "decoy",
): Promise<Disguised> {
  const word = (...about: string[]) =>
    createHash("sha256")
      .update([seed, kind, file.path, ...about].join("\0"))
      .digest("hex")
      .slice(0, 12);
  const mark = word("mark");
  const grammar = grammarOf(file.path);
  if (grammar === null) {
    const why = "tests in this language have no twins";
    const without = names.map((test) => ({ test, why }));
    return { path: file.path, content: file.content, nameOf: (test) => test, without, altered: [] };
  }
  const syntax = TEST_SYNTAX[grammar];
  const nameOf = (test: string) => syntax.testName(word("name", test), test);
  const path = syntax.disguisedPath(file.path, word("path"));
  const { root } = await parsers.parse(grammar, file.content);
  const without: Disguised["without"] = [];
  const altered: string[] = [];
  const decoys: Replacement[] = [];
  if (kind === "decoy") {
    for (const test of new Set(names)) {
      const found = syntax.decoy(file.content, root, bareName(test), word("value", test));
      if (!found) continue;
      altered.push(test);
      // Two tests may share a table.
      decoys.push(...found.filter((one) => !decoys.some(({ from }) => from === one.from)));
    }
  }
  const edits = [...new Set(names)].flatMap((test) => {
    const found = syntax.twin(file.content, root, bareName(test), nameOf(test), mark);
    if (found.length === 0) without.push({ test, why: "there is no such test" });
    return found.flatMap(({ rename, invert }) => {
      if (invert === null) without.push({ test, why: "it has no assertion of its own that can be turned round" });
      return kind === "twin" ? (invert ?? rename) : rename;
    });
  });
  const support = kind === "twin" ? syntax.twinSupport(mark) : "";
  const content = `${replaceAll(file.content, [...edits, ...decoys])}${support}`;
  const { broken } = await parsers.parse(grammar, content);
  if (broken) without.push(...names.map((test) => ({ test, why: "it cannot be read" })));
  return { path, content, nameOf, without, altered: broken ? [] : altered };
}
