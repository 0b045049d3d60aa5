import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import { ResultScan } from "../../domain/evidence/result-scan.ts";
import { keepBranch } from "../hands/keep-branch.ts";
import type { Run } from "../hands/run.ts";

/**
 * Keeps the result, proven or only the best attempt, as a branch of the artifact store. The findings of the scan are
 * recorded in the output of this step, so `verify` checks them as part of the chain.
 */
export async function keepResult(run: Run, tree: string, evidence: GatheredEvidence | null): Promise<void> {
  await run.step(
    { kind: "decision", name: "evidence", input: { tree, evidence }, output: ResultScan },
    async ({ emit }) => {
      const scan = { tree, findings: await run.parts.warden.findings(tree) };
      if (evidence) emit({ type: "evidence-gathered", evidence: { ...evidence, scans: scan.findings } });
      keepBranch(run, "result", tree, run.request.goal.split("\n")[0]?.slice(0, 72) ?? "");
      return scan;
    },
  );
}
