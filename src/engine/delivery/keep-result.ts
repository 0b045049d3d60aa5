import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import { ResultScan } from "../../domain/evidence/result-scan.ts";
import type { Run } from "../hands/run.ts";
import { keepBranch } from "../plan/settle-todo.ts";

/**
 * The result lives on as a branch of the artifact store, whether it is proven or only the best attempt. What the scan
 * says of it as it is now is recorded with it: the step's output is part of the chain that `verify` checks.
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
