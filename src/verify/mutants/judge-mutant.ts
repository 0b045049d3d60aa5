import type { Mutant, MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { JobResult } from "./job-result.ts";

/** What is known of a mutant once its tests ran: `unsure` when they are red without it as well. */
type Judgement = MutantResult | "unsure";

/** Only what is green in the control can kill. `stillRed` are tests that something else had made red meanwhile. */
export function judgeMutant(
  mutant: Mutant,
  result: JobResult,
  control: JobResult,
  stillRed: readonly string[],
): Judgement {
  if (control.ending !== "completed" || control.missing.length > 0) return "unsure";
  const spoiled = new Set([...control.red.map(({ id }) => id), ...stillRed]);
  const red = result.red.filter(({ id }) => !spoiled.has(id));
  const killedBy = [...new Set(red.map(({ id }) => id))];
  const expectedBy = [...new Set(red.filter(({ expected }) => expected).map(({ id }) => id))];
  const base = { mutant, killedBy, expectedBy };
  if (result.ending === "timeout") return { ...base, fate: "timed-out", reason: "" };
  if (killedBy.length > 0) return { ...base, fate: "killed", reason: "" };
  if (result.red.length > 0) return "unsure";
  if (result.missing.length > 0) {
    return { ...base, fate: "killed", reason: `not found any more: ${result.missing.slice(0, 3).join(", ")}` };
  }
  if (result.ending === "crashed") return { ...base, fate: "killed", reason: "the test process ended by itself" };
  return { ...base, fate: "survived", reason: "" };
}
