import { hasLine, type LineRange } from "../../domain/evidence/line-range.ts";
import type { Sensitivity } from "../../domain/evidence/measured.ts";
import type { SourceFile } from "../../languages/language.ts";
import { runTests } from "../../languages/run-tests.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import { assertedLine } from "./asserted-line.ts";
import { failedExpectation } from "./failed-expectation.ts";
import type { Surroundings } from "./surroundings.ts";
import { readTestFiles } from "./test-files.ts";

const MOST_SPOILED = 6;
const LARGEST = 100_000;

interface DataRun extends Surroundings {
  changed: ReadonlyMap<string, readonly LineRange[]>;
  read: (path: string) => string | null;
  parsers: SyntaxParsers;
  sensitivity: readonly Sensitivity[];
  requirements: readonly { id: string; tests: readonly string[] }[];
  /** Tests that are red without any of this: they notice nothing. */
  red: ReadonlySet<string>;
  /** Lays the tree out anew and says where. */
  layOut: () => Promise<string>;
  budgetMs: number;
}

/**
 * A requirement may be about data (a JSON file, a table): its tests then notice no mutant of code and are good all the
 * same. So what mutants of code left open is asked once more: one value of a changed data file becomes another one.
 */
export async function sensitivityInData(run: DataRun): Promise<Sensitivity[]> {
  const { changed, read, requirements, red, layOut, budgetMs, ...around } = run;
  const start = performance.now();
  const open = new Set(
    run.sensitivity.filter(({ state }) => state === "unnoticed" || state === "no-mutant").map(({ id }) => id),
  );
  const noticed = new Set<string>();
  for (const [path, lines] of changed) {
    for (const content of spoiled({ path, content: read(path) ?? "" }, lines)) {
      const asked = requirements.filter(({ id }) => open.has(id));
      if (asked.length === 0 || performance.now() - start > budgetMs) break;
      const files = [...new Set(asked.flatMap(({ tests }) => tests.map((id) => id.split("::")[0] ?? id)))];
      const workspace = await layOut();
      const isAsserted = assertedLine(readTestFiles(workspace, files), run.parsers);
      const report = await runTests({ ...around, workspace, files, place: { path, content } });
      const failed = new Set<string>();
      for (const test of report.tests) if (await failedExpectation(test, isAsserted)) failed.add(test.id);
      for (const { id, tests } of asked) {
        if (!tests.some((test) => failed.has(test) && !red.has(test))) continue;
        open.delete(id);
        noticed.add(id);
      }
    }
  }
  return run.sensitivity.map((one) => (noticed.has(one.id) ? { id: one.id, state: "noticed" } : one));
}

/** The text with one value of a changed line made another, for lines far apart; none of code, which has mutants, or of tests. */
export function spoiled({ path, content }: SourceFile, lines: readonly LineRange[]): string[] {
  if (grammarOf(path) !== null || content.length > LARGEST) return [];
  const all = content.split("\n");
  const places = all.flatMap((line, index) => {
    if (!hasLine(lines, index + 1)) return [];
    const other = line.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, another);
    return other === line ? [] : [{ index, other }];
  });
  const step = Math.max(1, Math.ceil(places.length / MOST_SPOILED));
  return places
    .filter((_, place) => place % step === 0)
    .map(({ index, other }) => all.map((line, at) => (at === index ? other : line)).join("\n"));
}

/** A digit stays one, so that a number does. */
export const another = (character: string): string =>
  /\d/.test(character) ? String((Number(character) + 1) % 10) : character.toLowerCase() === "x" ? "y" : "x";
