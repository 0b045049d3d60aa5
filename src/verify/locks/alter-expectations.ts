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

/** Alters one literal of one exact assertion in each test. */
export async function alterExpectations(path: string, text: string, parsers: SyntaxParsers): Promise<AlteredTests> {
  const grammar = grammarOf(path);
  if (grammar === null) return { text, names: [] };
  const { root } = await parsers.parse(grammar, text);
  const edits: Replacement[] = [];
  const names: string[] = [];
  for (const { name, edit } of expectations(TEST_SYNTAX[grammar], text, root)) {
    // A test within a test is altered once.
    if (edits.some(({ from }) => from === edit.from)) continue;
    edits.push(edit);
    names.push(name);
  }
  return { text: replaceAll(text, edits), names };
}

function expectations(syntax: TestSyntax, text: string, root: SyntaxNode): { name: string; edit: Replacement }[] {
  try {
    return syntax.tests(text, root).flatMap(({ name, node }) => {
      const edit = syntax.alterExpectation(text, node);
      return edit ? [{ name, edit }] : [];
    });
  } catch (error) {
    // Nested deeper than any person writes.
    if (error instanceof RangeError) return [];
    throw error;
  }
}
