import { type ChangedFunction, keyOf } from "./changed-function.ts";
import { inTurn } from "./in-turn.ts";
import type { Recording } from "./record-calls.ts";

const MOST_CALLS = 40;
const FEWEST_CALLS = 8;
/** Of all functions together. */
const MOST_TOGETHER = 750;

/** A call that tests make, once for all that make it. */
export interface RecordedUse {
  id: string;
  data: string;
  tests: string[];
  /** It gave a value in each of them. */
  gave: boolean;
}

/** The calls of each function that are made again, by its key. */
export function recordedUses(
  { calls }: Recording,
  functions: ChangedFunction[],
  first: readonly string[] = [],
): Map<string, RecordedUse[]> {
  const turned = new Set(first);
  const most = Math.max(FEWEST_CALLS, Math.min(MOST_CALLS, Math.floor(MOST_TOGETHER / Math.max(1, functions.length))));
  const known = new Map(functions.map((one) => [keyOf(one), new Map<string, RecordedUse>()]));
  for (const { path, name, tests, data, kind } of calls) {
    const uses = known.get(keyOf({ path, name }));
    const use = uses?.get(data) ?? { id: "", data, tests: [], gave: true };
    // The same call is told again by another test, by another process, or because it raised.
    const all = [...new Set([...use.tests, ...tests])];
    uses?.set(data, { ...use, tests: all, gave: use.gave && kind === "value" });
  }
  return new Map(
    [...known].map(([key, uses], index) => [
      key,
      chosenOf([...uses.values()], most, turned).map((use, place) => ({ ...use, id: `${index}.${place}` })),
    ]),
  );
}

/** In turn from each test, so that no test's calls crowd out another's; up to half are of tests that turned green. */
function chosenOf(uses: RecordedUse[], most: number, turned: ReadonlySet<string>): RecordedUse[] {
  const inTurnOf = (own: RecordedUse[]) => inTurn([...Map.groupBy(own, ({ tests }) => tests[0]).values()]);
  const showing = inTurnOf(uses.filter(({ tests }) => tests.some((test) => turned.has(test)))).slice(0, most / 2);
  return [...showing, ...inTurnOf(uses.filter((use) => !showing.includes(use)))].slice(0, most);
}
