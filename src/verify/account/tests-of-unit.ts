import { hasLine } from "../../domain/evidence/line-range.ts";
import type { RunLines } from "../../languages/language.ts";
import type { UnitChange } from "../change/compare-units.ts";

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
