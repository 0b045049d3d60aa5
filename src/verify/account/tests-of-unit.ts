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

type ChangedUnit = Pick<UnitChange, "path" | "kind" | "lines" | "after" | "uses" | "standard" | "loads">;

/** Tests that run something of these changed parts; null when nobody could watch. */
export const testsOfChange = (traced: Pick<TracedRun, "lines">, units: readonly ChangedUnit[]): string[] | null =>
  testsOfParts(
    traced,
    units.map((unit) => {
      const { path, kind, after, standard, loads } = unit;
      // A module that comes with the language and does nothing besides is there for what says its name.
      const lines = kind === "import" && standard && !loads ? unit.uses : unit.lines;
      return { path, lines, callable: kind === "function" ? after : null };
    }),
  );
