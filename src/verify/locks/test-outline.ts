import type { Claims } from "../../languages/assertions.ts";
import { wordsOf } from "../../languages/syntax-text.ts";
import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";

/** One test as it stands in its file. */
export interface TestOutline {
  /** As reports name it: `TestTotal::test_sum`, `total > sums`. */
  name: string;
  /** Its words, decorators included: equal words, equal test. */
  words: string;
  assertions: number;
  exact: number;
  /** `silent`: it runs something and asserts nothing. `constant`: what it asserts always holds. */
  strength: "asserts" | "silent" | "constant" | "empty";
}

/** The tests of a file, in order. Of a file in no language we can read there are none; broken text gives what it can. */
export async function outlineTests(path: string, text: string, parsers: SyntaxParsers): Promise<TestOutline[]> {
  const grammar = grammarOf(path);
  if (grammar === null) return [];
  const { root } = await parsers.parse(grammar, text);
  const syntax = TEST_SYNTAX[grammar];
  try {
    return syntax
      .tests(text, root)
      .map(({ name, node, body }) => outline(text, name, node, body && syntax.claims(text, body, root)));
  } catch (error) {
    // Nested deeper than any person writes: then the runs alone must tell.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function outline(text: string, name: string, whole: SyntaxNode, claims: Claims | null): TestOutline {
  const { assertions, exact, constant, acts } = claims ?? { assertions: 0, exact: 0, constant: 0, acts: false };
  const strength = assertions > 0 ? "asserts" : constant > 0 ? "constant" : acts ? "silent" : "empty";
  return { name, words: wordsOf({ text }, whole), assertions, exact, strength };
}
