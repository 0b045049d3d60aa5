import type { Notice } from "../../domain/evidence/measured.ts";
import type { MutantReport } from "../../domain/evidence/mutant-report.ts";

/**
 * What mutants say of each requirement's tests. Only `noticed` shows that they can fail; `no-mutant` says that the
 * question cannot be put, and everything else that it was put and not answered.
 */
export function noticesOf(
  report: MutantReport | null,
  requirements: readonly { id: string; tests: readonly string[] }[],
): Notice[] {
  return requirements.map(({ id, tests }) => {
    if (tests.length === 0) return { id, notice: "absent" };
    const own = report?.requirements.find((one) => one.id === id);
    if (!report || !own) return { id, notice: "no-mutant" };
    if (report.problem !== null) return { id, notice: "untold" };
    if (own.killed.length > 0) return { id, notice: "noticed" };
    if ((own.left ?? 0) > 0) return { id, notice: "no-time" };
    return { id, notice: (own.met ?? 0) > 0 ? "unnoticed" : "no-mutant" };
  });
}
