import { type Grammar, grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";
import { childOf, namedChildren, nodesIn, type Source, textOf } from "./syntax-text.ts";
import { testNodes } from "./test-outline.ts";

/** A file of tests in which each test, where that can be done, expects another value than before: each must go red. */
export interface AlteredTests {
  text: string;
  /** Names of the tests that were altered. */
  names: string[];
}

/** Alters one literal of one exact assertion in each test. */
export async function alterExpectations(path: string, text: string, parsers: SyntaxParsers): Promise<AlteredTests> {
  const grammar = grammarOf(path);
  if (grammar === null || grammar === "go") return { text, names: [] };
  const { root } = await parsers.parse(grammar, text);
  const edits: { from: number; to: number; text: string }[] = [];
  const names: string[] = [];
  for (const { name, literal } of expectations(grammar, { text }, root)) {
    // A test within a test is altered once.
    if (edits.some(({ from }) => from === literal.from)) continue;
    edits.push({ from: literal.from, to: literal.to, text: another(text.slice(literal.from, literal.to)) });
    names.push(name);
  }
  let altered = text;
  for (const edit of edits.sort((a, b) => b.from - a.from)) {
    altered = altered.slice(0, edit.from) + edit.text + altered.slice(edit.to);
  }
  return { text: altered, names };
}

function expectations(grammar: Grammar, source: Source, root: SyntaxNode): { name: string; literal: SyntaxNode }[] {
  try {
    return testNodes(grammar, source, root).flatMap(({ name, node }) => {
      const literal = expectedLiteral(source, node);
      return literal ? [{ name, literal }] : [];
    });
  } catch (error) {
    // Nested deeper than any person writes.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

const LITERAL = /^(integer|float|number|string|true|false|none|null)$/;
const EXACT_CALL = /^(assertEqual|equal|strictEqual|deepEqual|deepStrictEqual|toBe|toEqual|toStrictEqual|eq|eql)$/;

/** The first value that an assertion compares with, where it is written out. */
function expectedLiteral(source: Source, test: SyntaxNode): SyntaxNode | null {
  for (const node of nodesIn(test)) {
    if (node.type === "assert_statement") {
      const [claim] = namedChildren(node);
      const operators = claim?.children.filter((child) => !child.named).map((child) => textOf(source, child)) ?? [];
      if (claim?.type !== "comparison_operator" || operators.join() !== "==") continue;
      const literal = namedChildren(claim).find(isPlainLiteral(source));
      if (literal) return literal;
    }
    if (node.type === "call" || node.type === "call_expression") {
      const callee = childOf(node, "function");
      const last = callee && (childOf(callee, "attribute") ?? childOf(callee, "property") ?? callee);
      const isExact = last && EXACT_CALL.test(textOf(source, last)) && !/\.not\./.test(textOf(source, callee));
      const given = isExact ? namedChildren(childOf(node, "arguments") ?? node) : [];
      const literal = given.slice(0, 2).find(isPlainLiteral(source));
      if (literal) return literal;
    }
  }
  return null;
}

/** No prefix, no parts that are computed, one line. */
const isPlainLiteral =
  (source: Source) =>
  ({ type, from, to }: SyntaxNode): boolean =>
    LITERAL.test(type) && /^(?:"[^"\\\n]*"|'[^'\\\n]*'|[\d.]+|[A-Za-z]+)$/.test(source.text.slice(from, to));

function another(literal: string): string {
  if (/^["']/.test(literal)) return `${literal.slice(0, -1)}~${literal.slice(-1)}`;
  if (/^\d/.test(literal)) return `${literal}7`;
  return /^(true|false|null)$/.test(literal) ? '"~"' : "'~'";
}
