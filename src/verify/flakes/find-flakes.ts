import type { FlakeReport, Variation } from "../../domain/evidence/flake-report.ts";
import { isRed, type TestCase, type TestReport } from "../../domain/evidence/test-report.ts";

/** Runs the suite, or these files of it, in a clean checkout; with a variation, under other conditions. */
export type RunVaried = (variation: Variation | null, files: readonly string[]) => Promise<TestReport>;

/** What the suite before the change says of itself. */
export interface BaseFlakes {
  first: TestReport;
  second: TestReport;
  /** Tests whose outcome differed between two runs: only these can be quarantined. */
  flaky: string[];
  /** Whether it says the same in another order; null when that was not tried. */
  shuffles: boolean | null;
}

/**
 * Away from UTC to either side, so that it is another hour, and mostly another day. Names that every reader of TZ knows:
 * `UTC-11` has the name UTC in Python and none at all in Node, `<+11>-11` is UTC in Node.
 */
const TIME_ZONES = ["Etc/GMT-11", "Etc/GMT+9", "Etc/GMT-5"];

/** The conditions of a repeat: the same for the same number, so that it can be repeated again. */
export function variation(number: number, shuffled: boolean): Variation {
  const seed = 7919 * (number + 1);
  return {
    orderSeed: shuffled ? seed : null,
    seed,
    timeZone: TIME_ZONES[number % TIME_ZONES.length] ?? "UTC",
  };
}

/** The usual conditions, in an order that another seed decides. */
const SHUFFLED: Variation = { orderSeed: 4001, seed: 0, timeZone: "UTC" };

/**
 * The base suite twice as it is, and, unless the runner cannot, once in another order. A second run that ended otherwise
 * than the first makes every test flaky of which only one of them tells.
 */
export async function baseFlakes(
  run: RunVaried,
  options: { first?: TestReport; shuffle: boolean },
): Promise<BaseFlakes> {
  const first = options.first ?? (await run(null, []));
  const second = await run(null, []);
  const flaky = flipsBetween([first, second]).map(({ id }) => id);
  if (!options.shuffle) return { first, second, flaky, shuffles: null };
  return { first, second, flaky, shuffles: await saysTheSameShuffled(run, first, flaky) };
}

/** Whether a suite goes the same way in another order, its flaky tests apart. */
export async function saysTheSameShuffled(
  run: RunVaried,
  first: TestReport,
  flaky: readonly string[],
): Promise<boolean> {
  const other = await run(SHUFFLED, []);
  const quarantined = new Set(flaky);
  const flips = flipsBetween([first, other]).filter(({ id }) => !quarantined.has(id));
  return other.ending === first.ending && flips.length === 0;
}

export interface RepeatRequest {
  /** Null: there was no suite before the change. */
  base: BaseFlakes | null;
  /** The suite after the change. */
  after: TestReport;
  /** Ids of new tests and of those that run changed lines. Their whole files are repeated. */
  tests: readonly string[];
  run: RunVaried;
  /** How often; default 2. */
  repeats?: number;
  /** False when the runner knows no other order. */
  canShuffle: boolean;
  /** `run` bears several calls at a time. */
  atOnce?: boolean;
}

/** Repeats tests with another order, another seed and another hour; one that changes its outcome only now is red. */
export async function repeatTests({
  base,
  after,
  tests,
  run,
  repeats = 2,
  canShuffle,
  atOnce = false,
}: RepeatRequest): Promise<FlakeReport> {
  const wanted = new Set(tests);
  const files = [...new Set(after.tests.filter(({ id }) => wanted.has(id)).map(({ file }) => file))].sort();
  const dependsOnOrder = base?.shuffles === false;
  const shuffled = canShuffle && !dependsOnOrder;
  const conditions =
    files.length === 0 ? [] : Array.from({ length: repeats }, (_, number) => variation(number, shuffled));
  const reports = [after];
  if (atOnce) reports.push(...(await Promise.all(conditions.map((one) => run(one, files)))));
  else for (const one of conditions) reports.push(await run(one, files));
  const quarantined = new Set(base?.flaky ?? []);
  const inFiles = new Set(files);
  return {
    quarantined: [...quarantined].sort(),
    flipped: flipsBetween(reports, inFiles).filter(({ id }) => !quarantined.has(id)),
    repeated: after.tests.filter(({ file }) => inFiles.has(file)).map(({ id }) => id),
    repeats: conditions,
    baseShuffles: base?.shuffles ?? null,
    notVaried: [
      ...(dependsOnOrder ? ["order: the suite before the change depends on it"] : []),
      ...(canShuffle ? [] : ["order: the runner has no other"]),
      "clock: only the time zone is another, which moves the local hour and not the time itself",
    ],
  };
}

/** Tests that did not go the same way in all of these runs, with how they went in each. */
export function flipsBetween(reports: readonly TestReport[], files?: ReadonlySet<string>): FlakeReport["flipped"] {
  const runs = reports.map((report) => new Map(report.tests.map((test) => [test.id, test])));
  const ids = new Set(runs.flatMap((run) => [...run.keys()]));
  return [...ids].sort().flatMap((id) => {
    const cases = runs.map((run) => run.get(id));
    const file = cases.find((one) => one !== undefined)?.file ?? "";
    if (files && !files.has(file)) return [];
    const outcomes = cases.map(outcomeOf);
    if (new Set(outcomes).size === 1) return [];
    return [{ id, outcomes, message: cases.find((one) => one !== undefined && isRed(one))?.message ?? "" }];
  });
}

/** Failed or in error is the same red: which of the two may hang on who came first. */
function outcomeOf(test: TestCase | undefined): string {
  if (!test) return "missing";
  return isRed(test) ? "red" : test.outcome;
}
