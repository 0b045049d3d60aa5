import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { textOf } from "../../syntax/nodes.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";

/** Whether a line of a test file belongs to an assertion. */
export type AssertedLine = (file: string, line: number) => Promise<boolean>;

/**
 * Reads the files of these tests at once, before any code runs beside them, and parses one when it is asked for. What cannot
 * be read asserts nothing.
 */
export function assertedLine(directory: string, tests: readonly string[], parsers: SyntaxParsers): AssertedLine {
  const files = new Set(tests.map((id) => id.split("::")[0] ?? id));
  const texts = new Map([...files].map((file) => [file, textIn(directory, file)]));
  const known = new Map<string, Promise<{ from: number; to: number }[]>>();
  const rangesOf = async (file: string) => {
    const grammar = grammarOf(file);
    const text = texts.get(file) ?? null;
    const syntax = grammar && TEST_SYNTAX[grammar];
    if (text === null || !grammar || !syntax?.assertions) return [];
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

function textIn(directory: string, file: string): string | null {
  try {
    const path = join(directory, file);
    return path.startsWith(directory) && lstatSync(path).isFile() ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}
