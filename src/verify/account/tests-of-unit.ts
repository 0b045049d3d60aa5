import { hasLine } from "../../domain/evidence/line-range.ts";
import type { RunLines } from "../../languages/language.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { testsOfParts } from "../coverage/changed-line-coverage.ts";

/**
 * Which of these tests run a part of the code. What runs while its module is imported may be needed by any of them, and
 * so may what nobody could watch.
 */
export function testsOfUnit(
  { path, kind, after }: Pick<UnitChange, "path" | "kind" | "after">,
  ran: RunLines | null,
  tests: ReadonlySet<string>,
): Set<string> {
  if (!after) return new Set();
  const known = ran?.get(path);
  if (!known || known.size === 0) return new Set(tests);
  const own = [...known].filter(([line]) => hasLine([after], line));
  const found = new Set(own.flatMap(([, names]) => [...names]));
  // Of a function only its first line runs at the import. A value may be looked at by a test that runs nothing here.
  if (kind !== "function" && found.has("")) return new Set(tests);
  return new Set([...tests].filter((test) => found.has(test)));
}

/** Tests that run something of these changed parts; null when nobody could watch. */
export const testsOfChange = (traced: TracedRun, units: readonly UnitChange[]): string[] | null =>
  testsOfParts(
    traced,
    units.map(({ path, kind, lines, after }) => ({ path, lines, callable: kind === "function" ? after : null })),
  );
