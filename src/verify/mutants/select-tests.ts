import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import type { RunLines } from "../../languages/language.ts";

type FileLines = NonNullable<ReturnType<RunLines["get"]>>;

/** Many mutants ask this of the same file. */
const known = new WeakMap<FileLines, ReadonlySet<string>>();

/** All tests that run anything of a file. */
function testsOf(lines: FileLines): ReadonlySet<string> {
  const found = known.get(lines) ?? new Set([...lines.values()].flatMap((tests) => [...tests]));
  known.set(lines, found);
  return found;
}

/**
 * The tests that can notice a mutant, in the order of the suite: those that run a line of its statement. What runs while
 * its module is imported concerns every test: first those that run anything of the file, then the others, of which one
 * may only look at a value. Of a file of which no line was seen to run nobody knows, so that all tests are asked.
 */
export function selectTests(mutant: Mutant, lines: RunLines | null, tests: readonly string[]): string[] {
  const ran = lines?.get(mutant.path);
  if (!ran || ran.size === 0) return [...tests];
  const found = new Set<string>();
  for (let line = mutant.statement.from; line <= mutant.statement.to; line += 1) {
    for (const test of ran.get(line) ?? []) found.add(test);
  }
  if (!found.has("")) return tests.filter((test) => found.has(test));
  const own = testsOf(ran);
  return [...tests.filter((test) => own.has(test)), ...tests.filter((test) => !own.has(test))];
}
