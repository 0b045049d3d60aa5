import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { textOf } from "../../syntax/nodes.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";

/** Whether a line of a test file belongs to an assertion. */
export type AssertedLine = (file: string, line: number) => Promise<boolean>;

/** Parses a file when it is asked for. What cannot be read asserts nothing. */
export function assertedLine(texts: ReadonlyMap<string, string>, parsers: SyntaxParsers): AssertedLine {
  const known = new Map<string, Promise<{ from: number; to: number }[]>>();
  const rangesOf = async (file: string) => {
    const grammar = grammarOf(file);
    const text = texts.get(file);
    const syntax = grammar && TEST_SYNTAX[grammar];
    if (text === undefined || !grammar || !syntax?.assertions) return [];
    const { root } = await parsers.parse(grammar, text);
    return syntax.assertions(text, root).map((node) => {
      const from = node.row + 1;
      return { from, to: from + textOf(text, node).split("\n").length - 1 };
    });
  };
  return async (file, line) => {
    const ranges = known.get(file) ?? rangesOf(file);
    known.set(file, ranges);
    return (await ranges).some(({ from, to }) => from <= line && line <= to);
  };
}
