import type { Sensitivity } from "../../domain/evidence/measured.ts";
import type { MutantReport } from "../../domain/evidence/mutant-report.ts";

/**
 * How sensitive each requirement's tests are to mutants. Only `noticed` shows that they can fail; `no-mutant` says that
 * there is nothing to try them with, and everything else that they were tried without an answer.
 */
export function sensitivityOf(
  report: MutantReport | null,
  requirements: readonly { id: string; tests: readonly string[] }[],
): Sensitivity[] {
  return requirements.map(({ id, tests }) => {
    if (tests.length === 0) return { id, state: "absent" };
    const own = report?.requirements.find((one) => one.id === id);
    if (!report || !own) return { id, state: "no-mutant" };
    if (report.problem !== null) return { id, state: "untold" };
    if (own.killed.length > 0) return { id, state: "noticed" };
    if ((own.left ?? 0) > 0) return { id, state: "no-time" };
    return { id, state: (own.met ?? 0) > 0 ? "unnoticed" : "no-mutant" };
  });
}
