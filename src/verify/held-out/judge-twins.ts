import { isNamed } from "../../domain/evidence/match-test.ts";
import { isRed, type TestCase, type TestReport } from "../../domain/evidence/test-report.ts";
import type { TwinPair } from "./twin.ts";

/** What the gate saw of one held-out test. */
export type TwinVerdict =
  | { verdict: "passed" }
  /** `stopped`: the run did not come to its end, so nothing is known of this test. */
  | { verdict: "red"; message: string; stopped: boolean }
  /** It passed, and a check of ours does not bear it out: it shows nothing, and accuses nobody. */
  | { verdict: "unjudged"; message: string }
  /** Several signs agree that somebody made the runner say what is not so. */
  | { verdict: "tampered"; message: string };

export interface TwinRuns {
  originals: TestReport;
  twins: TestReport;
  /** Absent where no test has a decoy, or the code that is tested cannot reach the tests. */
  decoys?: TestReport;
}

/** An accusation needs more than one check of ours that failed: each of them may be our own mistake. */
const ENOUGH_SIGNS = 2;

/**
 * A test passes when it ran and passed, its twin failed by what it claims, and its decoy failed. Code that cannot even be
 * imported is red. Where a test passed and its checks do not bear it out, nothing is known.
 */
export function judgeTwins(pair: TwinPair, runs: TwinRuns): TwinVerdict {
  const { originals, twins, decoys } = runs;
  const own = casesOf(originals, pair.original);
  const red = own.find(isRed) ?? (own.length === 0 ? fileError(originals, pair.original.path) : undefined);
  if (red) return { verdict: "red", message: red.message, stopped: false };
  if (originals.ending !== "completed") {
    return { verdict: "red", message: `the tests did not come to their end (${originals.ending})`, stopped: true };
  }
  const signs = signsOf(pair, runs);
  if (signs.length >= ENOUGH_SIGNS) return { verdict: "tampered", message: signs.join("; ") };
  if (own.length === 0) return unjudged("the test did not run");
  if (own.some((test) => test.outcome !== "passed")) return unjudged("the test was skipped");
  if (signs[0] !== undefined) return unjudged(signs[0]);
  const other = casesOf(twins, pair.twin);
  if (other.length !== own.length) return unjudged("its twin, which claims the opposite, did not run");
  if (!other.every(({ message }) => message.includes(pair.twin.mark)))
    return unjudged("its twin, which claims the opposite, failed before it came to that");
  if (pair.decoy && decoys && casesOf(decoys, pair.decoy).length !== own.length)
    return unjudged("it did not run with another expected value");
  return { verdict: "passed" };
}

/** What speaks for tampering, each found in another way. */
function signsOf({ twin, decoy, canary }: TwinPair, { twins, decoys }: TwinRuns): string[] {
  const passes = (report: TestReport | undefined, place: { path: string; name: string } | undefined) =>
    report !== undefined && place !== undefined && casesOf(report, place).some(({ outcome }) => outcome === "passed");
  const contradicts = (report: TestReport | undefined) =>
    report?.ending === "completed" && report.exitCode === 0 && report.tests.some(isRed);
  return [
    ...(passes(twins, twin) ? ["the test passes, and so does its twin, which claims the opposite"] : []),
    ...(passes(decoys, decoy) ? ["the test passes whatever value it expects"] : []),
    ...(passes(twins, canary) ? ["a test that can only fail was reported as passed"] : []),
    ...(contradicts(twins) || contradicts(decoys) ? ["the runner's exit code contradicts its report"] : []),
  ];
}

const casesOf = (report: TestReport, { path, name }: { path: string; name: string }): TestCase[] =>
  report.tests.filter((test) => isNamed(test, path, name));

/** An import that fails stands for every test of its file. */
const fileError = (report: TestReport, path: string): TestCase | undefined =>
  report.tests.find((test) => test.file === path && test.outcome === "error");

const unjudged = (message: string): TwinVerdict => ({ verdict: "unjudged", message });
