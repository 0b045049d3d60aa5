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
export function recordedUses({ calls }: Recording, functions: ChangedFunction[]): Map<string, RecordedUse[]> {
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
      chosenOf([...uses.values()], most).map((use, place) => ({ ...use, id: `${index}.${place}` })),
    ]),
  );
}

/** In turn from each test, so that no test's calls crowd out another's. */
function chosenOf(uses: RecordedUse[], most: number): RecordedUse[] {
  const groups = [...Map.groupBy(uses, ({ tests }) => tests[0]).values()];
  return inTurn(groups).slice(0, most);
}
