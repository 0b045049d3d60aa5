import type { TestSyntax } from "../../languages/test-syntax.ts";
import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { type Replacement, replaceAll } from "../../syntax/nodes.ts";
import { grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";

/** A file of tests in which each test, where that can be done, expects another value than before: each must go red. */
interface AlteredTests {
  text: string;
  /** Names of the tests that were altered. */
  names: string[];
}

/** Alters the values that exact assertions of each test write out. */
export async function alterExpectations(path: string, text: string, parsers: SyntaxParsers): Promise<AlteredTests> {
  const grammar = grammarOf(path);
  if (grammar === null) return { text, names: [] };
  const { root } = await parsers.parse(grammar, text);
  const edits = new Map<number, Replacement>();
  const names: string[] = [];
  for (const { name, own } of expectations(TEST_SYNTAX[grammar], text, root)) {
    // A test within a test is altered once, with what is around it.
    if (own.length > 0) names.push(name);
    for (const edit of own) edits.set(edit.from, edit);
  }
  return { text: replaceAll(text, [...edits.values()]), names };
}

function expectations(syntax: TestSyntax, text: string, root: SyntaxNode): { name: string; own: Replacement[] }[] {
  try {
    return syntax.tests(text, root).map(({ name, node }) => ({ name, own: syntax.alterExpectations(text, node) }));
  } catch (error) {
    // Nested deeper than any person writes.
    if (error instanceof RangeError) return [];
    throw error;
  }
}
