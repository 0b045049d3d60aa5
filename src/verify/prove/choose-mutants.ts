import { toRanges } from "../../domain/evidence/line-range.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import type { RunLines } from "../../languages/language.ts";
import { mutantsIn, type TestedTree } from "../measure/mutate-tree.ts";
import { selectTests } from "../mutants/select-tests.ts";
import { inTurn, spread } from "../mutants/spread.ts";
import { droppedCalls } from "./dropped-calls.ts";

/** For each test at most so many, fewer where there are many tests; and for all of them together. */
const EACH = 30;
const EACH_OF_MANY = 12;
const TOGETHER = 240;
const MOST = 400;
/** Where nobody knows which lines a test runs, every mutant is asked of every test. */
const EACH_UNWATCHED = 12;

/** Mutants of the code that these tests run: of lines that few tests run first, as these tell the most of each. */
export async function chooseMutants(
  tree: TestedTree,
  tests: readonly string[],
  paths: readonly string[],
  isWanted: (mutant: Mutant) => boolean,
): Promise<Mutant[]> {
  const { lines } = tree.traced;
  const asked = new Set(tests);
  const made: Mutant[] = [];
  for (const path of paths) {
    const ran = linesRun(lines, path, asked);
    const content = ran.length > 0 ? tree.read(path) : null;
    if (content === null) continue;
    const own = [
      ...(await mutantsIn(tree, path, ran, { values: true })),
      ...(await mutantsIn(tree, path, ran, { alikes: true })),
      ...(await mutantsIn(tree, path, ran, { inputs: true })),
      ...(await droppedCalls({ path, content }, ran, tree.parsers)),
    ];
    made.push(...own.filter(isWanted));
  }
  return narrowed(made, lines, tests);
}

/** Lines that one of these tests runs, or that run while the file is imported: that concerns whoever needs the file. */
function linesRun(lines: RunLines | null, path: string, tests: ReadonlySet<string>) {
  if (lines === null) return [{ from: 1, to: Number.MAX_SAFE_INTEGER }];
  const own = [...(lines.get(path) ?? [])].filter(([, ran]) => [...ran].some((test) => test === "" || tests.has(test)));
  return toRanges(own.map(([line]) => line));
}

/** The same for the same mutants. */
export function narrowed(mutants: readonly Mutant[], lines: RunLines | null, tests: readonly string[]): Mutant[] {
  const asked = new Map(inTurn(spread(mutants)).map((mutant) => [mutant, new Set(selectTests(mutant, lines, tests))]));
  const order = [...asked.keys()].sort((a, b) => (asked.get(a)?.size ?? 0) - (asked.get(b)?.size ?? 0));
  const share = Math.max(EACH_OF_MANY, Math.min(EACH, Math.floor(TOGETHER / Math.max(1, tests.length))));
  const each = lines === null ? EACH_UNWATCHED : share;
  const chosen = new Set<Mutant>();
  for (const test of tests) {
    for (const mutant of order.filter((one) => asked.get(one)?.has(test)).slice(0, each)) chosen.add(mutant);
  }
  return order.filter((mutant) => chosen.has(mutant)).slice(0, MOST);
}
