import { isNamed } from "../../domain/evidence/match-test.ts";
import { isRed, type TestCase, type TestReport } from "../../domain/evidence/test-report.ts";
import type { TwinPair } from "./twin.ts";

/** What the gate saw of one held-out test. */
type TwinVerdict =
  | { verdict: "passed" }
  /** `stopped`: the run did not come to its end, so nothing is known of this test. */
  | { verdict: "red"; message: string; stopped: boolean }
  /** Somebody made the runner say what is not so. */
  | { verdict: "tampered"; message: string };

interface TwinRuns {
  originals: TestReport;
  twins: TestReport;
  /** Absent where no test has a decoy, or the code that is tested cannot reach the tests. */
  decoys?: TestReport;
}

/**
 * A test passes when it ran and passed, and its twin ran and failed. Both passing, either missing without a reason, or
 * a report that contradicts the runner's exit code: tampering. Code that cannot even be imported is red, not tampered.
 */
export function judgeTwins(pair: TwinPair, { originals, twins, decoys }: TwinRuns): TwinVerdict {
  const own = casesOf(originals, pair.original);
  const red = own.find(isRed) ?? (own.length === 0 ? fileError(originals, pair.original.path) : undefined);
  if (red) return { verdict: "red", message: red.message, stopped: false };
  if (originals.ending !== "completed") return stopped(originals);
  if (own.length === 0) return tampered("the test did not run");
  if (own.some((test) => test.outcome !== "passed")) return tampered("the test was skipped by what it tests");
  if (originals.exitCode !== 0 && !originals.tests.some(isRed))
    return tampered("the runner's exit code says another thing than its report");
  if (twins.ending !== "completed") return stopped(twins);
  const other = casesOf(twins, pair.twin);
  if (other.length !== own.length) return tampered("its twin did not run");
  if (other.some((test) => test.outcome === "passed"))
    return tampered("the test passes, and so does its twin, which claims the opposite");
  if (!other.every((test) => test.outcome === "failed")) return tampered("its twin did not run to its assertion");
  if (twins.exitCode === 0) return tampered("the runner's exit code says another thing than its report");
  return pair.decoy && decoys ? judgeDecoy(pair.decoy, decoys, own.length) : { verdict: "passed" };
}

/** The same test, expecting another value. */
function judgeDecoy(decoy: { path: string; name: string }, decoys: TestReport, expected: number): TwinVerdict {
  if (decoys.ending !== "completed") return stopped(decoys);
  const cases = casesOf(decoys, decoy);
  if (cases.length !== expected) return tampered("it did not run with another expected value");
  if (cases.some((test) => test.outcome === "passed")) return tampered("the test passes whatever value it expects");
  if (decoys.exitCode === 0) return tampered("the runner's exit code says another thing than its report");
  return { verdict: "passed" };
}

const casesOf = (report: TestReport, { path, name }: { path: string; name: string }): TestCase[] =>
  report.tests.filter((test) => isNamed(test, path, name));

/** An import that fails stands for every test of its file. */
const fileError = (report: TestReport, path: string): TestCase | undefined =>
  report.tests.find((test) => test.file === path && test.outcome === "error");

const stopped = ({ ending }: TestReport): TwinVerdict => ({
  verdict: "red",
  message: `the tests did not come to their end (${ending})`,
  stopped: true,
});

const tampered = (message: string): TwinVerdict => ({ verdict: "tampered", message });
