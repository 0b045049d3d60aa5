import type { TouchedTest } from "./compare-tests.ts";

/** Tests whose own words were changed are all asked, up to so many; of those that only lean on something a sample. */
const MOST_OWN = 150;
const MOST_SHARED = 60;

interface Sampled {
  asked: TouchedTest[];
  /** Too many to ask. */
  left: TouchedTest[];
}

/** Of tests that lean on something that was edited, some of each file stand for all: they share what was edited. */
export function sampleTouched(touched: readonly TouchedTest[]): Sampled {
  const own = touched.filter(({ touch }) => touch !== "shared");
  const shared = touched.filter(({ touch }) => touch === "shared");
  return { asked: [...own.slice(0, MOST_OWN), ...fromEachFile(shared, MOST_SHARED)], left: own.slice(MOST_OWN) };
}

function fromEachFile(touched: readonly TouchedTest[], most: number): TouchedTest[] {
  const files = [...Map.groupBy(touched, ({ files: [own = ""] }) => own).values()];
  const longest = Math.max(0, ...files.map((file) => file.length));
  const turns = Array.from({ length: longest }, (_, turn) => files.flatMap((file) => file[turn] ?? []));
  return turns.flat().slice(0, most);
}
