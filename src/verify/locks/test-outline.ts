import { wordsIn } from "../../languages/syntax-text.ts";
import type { TestNode } from "../../languages/test-syntax.ts";
import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";
import { type Bound, boundIn } from "./bound-names.ts";

/** Where something stands in the text, as `slice` takes it. */
interface Standing {
  from: number;
  to: number;
  /** Known to mean what it meant before, whatever its words are. */
  same?: boolean;
}

/** One test as it stands in its file. */
export interface TestOutline extends Standing {
  /** As reports name it: `TestTotal::test_sum`, `total > sums`. */
  name: string;
  /** Its words, decorators included: equal words, equal test. */
  words: string;
  /** The same without its own name: equal bodies are one test under two names. */
  body: string;
  /** What it does when it runs, without what stands around it. */
  does: string;
  /** Where a part of its name is put in when it runs: what its cases are called. */
  named?: RegExp;
}

/** What stands in a file of tests beside the tests, statement by statement, each import by itself. */
export interface FilePart extends Bound, Standing {
  /** Names of the tests that stand within it: a class, a group, a loop. */
  tests: string[];
}

export interface FileOutline {
  tests: TestOutline[];
  parts: FilePart[];
}

/** A file of tests, in order. Of one in no language we can read there is nothing; broken text gives what it can. */
export async function outlineFile(path: string, text: string, parsers: SyntaxParsers): Promise<FileOutline> {
  const grammar = grammarOf(path);
  if (grammar === null) return { tests: [], parts: [] };
  const { root } = await parsers.parse(grammar, text);
  try {
    const found = TEST_SYNTAX[grammar].tests(text, root);
    return { tests: found.map((test) => outline(text, test)), parts: partsOf(text, root, found) };
  } catch (error) {
    // Nested deeper than any person writes: then the runs alone must tell.
    if (error instanceof RangeError) return { tests: [], parts: [] };
    throw error;
  }
}

export const outlineTests = async (path: string, text: string, parsers: SyntaxParsers): Promise<TestOutline[]> =>
  (await outlineFile(path, text, parsers)).tests;

function outline(text: string, { name, node, body: inner, named }: TestNode): TestOutline {
  const words = wordsIn({ text }, node);
  const own = name.split(/::| > /).at(-1) ?? name;
  const at = words.findIndex((word) => word === own || word.slice(1, -1) === own);
  const { from, to } = node;
  const body = words.toSpliced(at < 0 ? words.length : at, 1).join(" ");
  const does = inner ? wordsIn({ text }, inner).join(" ") : body;
  return { name, from, to, words: words.join(" "), body, does, ...(named && { named: named.full }) };
}

function partsOf(text: string, root: SyntaxNode, found: TestNode[]): FilePart[] {
  const cut = new Set(found.map(({ node }) => node));
  return root.children.flatMap((child) => {
    const tests = found.filter(({ node }) => child.from <= node.from && node.to <= child.to).map(({ name }) => name);
    return boundIn(text, child, cut).map((bound) => ({ ...bound, from: child.from, to: child.to, tests }));
  });
}
