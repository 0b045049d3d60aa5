import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import type { RunLines } from "../../languages/language.ts";

/**
 * The tests that can notice a mutant, in the order of the suite: those that run a line of its statement. What runs while
 * its module is imported concerns every test that runs anything of the file. Of a file of which no line was seen to run
 * nobody knows, so that all tests are asked.
 */
export function selectTests(mutant: Mutant, lines: RunLines | null, tests: readonly string[]): string[] {
  const known = lines?.get(mutant.path);
  if (!known || known.size === 0) return [...tests];
  const found = new Set<string>();
  for (let line = mutant.statement.from; line <= mutant.statement.to; line += 1) {
    for (const test of known.get(line) ?? []) found.add(test);
  }
  if (found.has("")) {
    for (const all of known.values()) for (const test of all) found.add(test);
    // Imported by all, and of use to none that anybody saw.
    if (!tests.some((test) => found.has(test))) return [...tests];
  }
  return tests.filter((test) => found.has(test));
}
