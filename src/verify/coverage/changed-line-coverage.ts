import type { CoverageReport } from "../../domain/evidence/coverage-report.ts";
import { hasLine, type LineRange, toRanges } from "../../domain/evidence/line-range.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import type { ChangedLines } from "../change/changed-lines.ts";
import { executableStatements } from "./executable-lines.ts";

interface CoverageSources {
  changed: ChangedLines;
  /** The text of a changed file. */
  read: (path: string) => string | null;
  traced: TracedRun;
  parsers: SyntaxParsers;
}

/** Which of the changed lines that do something are run by a test, file by file. What is no code is left out. */
export async function changedLineCoverage(sources: CoverageSources): Promise<CoverageReport> {
  const files: CoverageReport["files"] = [];
  for (const [path, lines] of sources.changed) {
    if (grammarOf(path) === null || path.endsWith(".pyi")) continue;
    const file = await coverageOf(path, lines, sources);
    if (!file.available || file.covered.length + file.uncovered.length > 0) files.push(file);
  }
  return { files, share: shareOf(files) };
}

/** Code among the changed files: what is worth watching. */
export const watchedPaths = (changed: ChangedLines): string[] =>
  [...changed.keys()].filter((path) => grammarOf(path) !== null && !path.endsWith(".pyi"));

type FileCoverage = CoverageReport["files"][number];

async function coverageOf(path: string, lines: readonly LineRange[], sources: CoverageSources): Promise<FileCoverage> {
  const { read, traced, parsers } = sources;
  const text = read(path);
  const grammar = grammarOf(path);
  const ran = traced.lines?.get(path);
  if (!ran) return { available: false, path, reason: traced.reason || "this file was not watched" };
  if (text === null || grammar === null) return { available: false, path, reason: "this file cannot be read" };
  const { root, broken } = await parsers.parse(grammar, text);
  if (broken) return { available: false, path, reason: "this file has a syntax error" };
  const covered: number[] = [];
  const uncovered: number[] = [];
  const texts = text.split("\n");
  const statements = executableStatements(grammar, root, text);
  for (const line of numbers(lines)) {
    // Of statements within each other the innermost begins last.
    const statement = statements.findLast(({ from, to }) => from <= line && line <= to);
    if (!statement || !hasContent(texts[line - 1] ?? "")) continue;
    (numbers([statement]).some((one) => ran.has(one)) ? covered : uncovered).push(line);
  }
  return { available: true, path, covered: toRanges(covered), uncovered: toRanges(uncovered) };
}

/** More than blanks, brackets or a comment. */
const hasContent = (line: string): boolean => /[^\s()[\]{},;]/.test(line) && !/^\s*(#|\/\/|\*|\/\*)/.test(line);

const numbers = (ranges: readonly LineRange[]): number[] =>
  ranges.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index));

function shareOf(files: CoverageReport["files"]): number | null {
  const count = (ranges: LineRange[]) => numbers(ranges).length;
  const known = files.filter((file) => file.available);
  const covered = known.reduce((sum, file) => sum + count(file.covered), 0);
  const all = known.reduce((sum, file) => sum + count(file.covered) + count(file.uncovered), 0);
  return all === 0 ? null : covered / all;
}

/** Tests that run one of these lines, or the import of a file that holds one; null when nobody knows. */
export function testsOfLines(traced: TracedRun, changed: ChangedLines): string[] | null {
  return testsOfParts(
    traced,
    [...changed].map(([path, lines]) => ({ path, lines, callable: null })),
  );
}

/** Lines of one file; `callable`: where the function stands that they belong to. */
interface ChangedPart {
  path: string;
  lines: readonly LineRange[];
  callable: LineRange | null;
}

/**
 * Tests that run one of these lines. A line that runs at the import concerns every test that runs something of its file;
 * but of a function only the head runs there, which concerns whoever calls it.
 */
export function testsOfParts(traced: Pick<TracedRun, "lines">, parts: readonly ChangedPart[]): string[] | null {
  if (traced.lines === null) return null;
  const found = new Set<string>();
  for (const { path, lines, callable } of parts) {
    const known = traced.lines.get(path) ?? new Map<number, ReadonlySet<string>>();
    const ran = [...known].filter(([line]) => hasLine(lines, line));
    const atImport = ran.some(([, tests]) => tests.has(""));
    const concerned = atImport ? [...known].filter(([line]) => callable === null || hasLine([callable], line)) : ran;
    for (const [, tests] of concerned) for (const test of tests) found.add(test);
  }
  found.delete("");
  return [...found].sort();
}
