import type { WitnessedTest } from "../../domain/evidence/witness-report.ts";
import type { DriverOutcome, DriverReport } from "./run-driver.ts";

/** One driver, run as code is used and as it is tested. Each several times, so that luck is no verdict. */
export interface WitnessRuns {
  inUse: DriverReport[];
  /** Empty where nothing failed in use. */
  inRunner: DriverReport[];
  /** As code is used, but in the zone that tests run in; null where nobody asked. */
  inZone: DriverReport | null;
}

/**
 * A test that its runner calls green is a disagreement only if the very same driver passes it whenever the runner is
 * around and fails it whenever it is not: whatever our stand-ins lack, they lack in both.
 */
export function judgeWitness(id: string, runs: WitnessRuns): WitnessedTest {
  const { inUse, inRunner, inZone } = runs;
  const [seen] = inUse.map(({ first }) => first.get(id));
  const end = inUse[0]?.end ?? "";
  if (!seen) return notRun(id, `our driver said nothing of it (${end})`);
  if (seen.outcome === "not-run") return notRun(id, seen.why);
  const firsts = compare(id, "first", { inUse, inRunner });
  if (firsts.verdict === "differs") return { id, outcome: "failed", message: firsts.message, why: "" };
  if (firsts.verdict === "same-fault" && inZone?.first.get(id)?.outcome === "passed")
    return { ...agreed(id), note: `only in the time zone that tests run in: ${firsts.message}` };
  if (firsts.verdict === "same-fault")
    return { ...notRun(id, `our driver cannot run it with its runner either: ${firsts.message}`), unlike: true };
  if (firsts.verdict === "unsteady")
    return { ...notRun(id, `it does not go the same way every time: ${firsts.message}`), unlike: true };
  const seconds = compare(id, "second", { inUse, inRunner });
  if (seconds.verdict === "agrees") return agreed(id);
  if (seconds.verdict === "differs")
    return { id, outcome: "failed", message: `when it is called a second time: ${seconds.message}`, why: "" };
  return { ...agreed(id), note: `it goes another way the second time in one process: ${seconds.message}` };
}

const agreed = (id: string): WitnessedTest => ({ id, outcome: "passed", message: "", why: "" });

type Compared = { verdict: "agrees" } | { verdict: "differs" | "same-fault" | "unsteady"; message: string };

function compare(
  id: string,
  turn: "first" | "second",
  { inUse, inRunner }: Pick<WitnessRuns, "inUse" | "inRunner">,
): Compared {
  const failures = (reports: DriverReport[]) =>
    outcomes(id, turn, reports).filter(({ outcome }) => outcome === "failed");
  const used = outcomes(id, turn, inUse);
  const red = failures(inUse);
  const message = red[0]?.message ?? "";
  if (red.length === 0) return { verdict: "agrees" };
  const control = outcomes(id, turn, inRunner);
  if (control.length === 0 || failures(inRunner).length === control.length) return { verdict: "same-fault", message };
  const isSteady = red.length === used.length && control.every(({ outcome }) => outcome === "passed");
  return { verdict: isSteady ? "differs" : "unsteady", message };
}

const outcomes = (id: string, turn: "first" | "second", reports: DriverReport[]): DriverOutcome[] =>
  reports.flatMap((report) => report[turn].get(id) ?? []);

const notRun = (id: string, why: string): WitnessedTest => ({
  id,
  outcome: "not-run",
  message: "",
  why: why.slice(0, 500),
});
