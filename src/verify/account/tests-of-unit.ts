import { hasLine } from "../../domain/evidence/line-range.ts";
import type { RunLines } from "../../languages/language.ts";
import type { UnitChange } from "../change/compare-units.ts";

/**
 * Which of these tests run a part of the code. What runs while its module is imported runs for every test that runs
 * anything of the file. Where nobody could watch, any of them may.
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
  // Of a function only its first line runs at the import.
  if (kind !== "function" && found.has("")) {
    const all = new Set([...known.values()].flatMap((names) => [...names]));
    // A file that only runs at its import (fields of a class) is run by no test itself.
    if (all.size === 1) return new Set(tests);
    for (const name of all) found.add(name);
  }
  return new Set([...tests].filter((test) => found.has(test)));
}
