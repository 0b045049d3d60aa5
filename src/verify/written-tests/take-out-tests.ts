import { isNamed } from "../../domain/evidence/match-test.ts";
import type { TestCase } from "../../domain/evidence/test-report.ts";
import type { SourceFile } from "../../languages/language.ts";
import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";

/** A file of tests without some of them, and which of those it named; `content` is null where no test is left. */
export interface ThinnedTests {
  content: string | null;
  out: TestCase[];
}

/**
 * Takes tests out of a file: those of which every case that was reported is to go. `all`: what was reported of the file.
 */
export async function takeOutTests(
  parsers: SyntaxParsers,
  { path, content }: SourceFile,
  all: readonly TestCase[],
  goes: (test: TestCase) => boolean,
): Promise<ThinnedTests> {
  const nothing: ThinnedTests = { content, out: [] };
  const grammar = grammarOf(path);
  if (grammar === null) return nothing;
  const { root, broken } = await parsers.parse(grammar, content);
  if (broken) return nothing;
  const tests = TEST_SYNTAX[grammar].tests(content, root);
  const cases = tests.map(({ name, node }) => ({ node, reported: all.filter((test) => isNamed(test, path, name)) }));
  const leaving = cases.filter(({ reported }) => reported.length > 0 && reported.every(goes));
  if (leaving.length === 0) return nothing;
  const out = all.filter((test) => leaving.some(({ reported }) => reported.includes(test)));
  if (leaving.length === tests.length) return { content: null, out };
  const spans = leaving.map(({ node }) => linesOf(content, node)).toSorted((a, b) => b.from - a.from);
  let kept = content;
  for (const { from, to } of spans) kept = kept.slice(0, from) + kept.slice(to);
  return { content: `${kept.trimEnd()}\n`, out };
}

/** Its whole lines, with the comment right above and the empty lines below. */
function linesOf(text: string, node: { from: number; to: number }): { from: number; to: number } {
  let from = text.lastIndexOf("\n", node.from - 1) + 1;
  for (let above = lineAbove(text, from); above && /^\s*(#|\/\/)/.test(above.line); above = lineAbove(text, from))
    from = above.from;
  const rest = /^;?[^\S\n]*\n\s*\n|^;?[^\S\n]*\n|^;?[^\S\n]*$/.exec(text.slice(node.to));
  return { from, to: node.to + (rest?.[0].length ?? 0) };
}

function lineAbove(text: string, from: number): { from: number; line: string } | null {
  if (from === 0) return null;
  const start = text.lastIndexOf("\n", from - 2) + 1;
  return { from: start, line: text.slice(start, from - 1) };
}
