import { suiteRunOf } from "../../domain/evidence/evidence-document.ts";
import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import type { Oracle } from "../../domain/evidence/oracle.ts";
import type { WitnessReport } from "../../domain/evidence/witness-report.ts";
import type { EvidenceSources } from "./evidence-sources.ts";
import { requirementSupport } from "./requirement-support.ts";
import { seenTests, sharperTests, unseenTests } from "./task-tests.ts";

/** The document of a task as far as the loop knows it. Tests are listed once, requirements name them. */
export function gatherEvidence(sources: EvidenceSources): GatheredEvidence {
  const { spec, baseline, run, measured, disputes, tampering, replaced, speed, sharpened, witness, account } = sources;
  return {
    tree: run.tree,
    carriedBy: oracles(sources),
    requirements: (spec?.requirements ?? []).map((requirement) => requirementSupport(requirement, sources)),
    tests: [...seenTests(sources), ...unseenTests(sources), ...sharperTests(sharpened)],
    suite: run.report && {
      command: run.report.command,
      before: suiteRunOf(baseline),
      after: suiteRunOf(run.report),
    },
    accept: run.accept.map(({ command, passed, ending }) => ({ command, after: { passed, ending } })),
    ...(run.checks && run.checks.length > 0 && { checks: run.checks }),
    integrity: [...new Set(tampering)].map((path) => ({
      code: "tests.tampered",
      weight: "named",
      path,
      message: "was changed by the coder and put back",
    })),
    mutants: measured?.mutants ?? null,
    coverage: measured?.coverage ?? null,
    flakes: measured?.flakes ?? null,
    scans: null,
    disputes,
    notChecked: [
      ...(measured && measured.why !== "" ? [{ check: "mutants", why: measured.why }] : []),
      ...notWitnessed(witness),
    ],
    ...(spec?.amendments && { amended: spec.amendments }),
    ...(spec?.superseded && { superseded: spec.superseded }),
    ...(replaced.length > 0 && { replaced }),
    ...(speed && { speed }),
    ...(witness && { witness }),
    ...(sharpened && { sharpened }),
    ...(account && { account }),
  };
}

/** Tests that our driver lacks something for: they were seen with their runner only. */
function notWitnessed(witness: WitnessReport | undefined): GatheredEvidence["notChecked"] {
  if (!witness) return [];
  if (witness.problem !== null) return [{ check: "use without the test runner", why: witness.problem }];
  return witness.tests
    .filter(({ outcome }) => outcome === "not-run")
    .map(({ id, why }) => ({ check: `${id} without its runner`, why }));
}

/** What the verdict rests on, the strongest first. */
function oracles({ run, baseline, confirmed, heldOut }: EvidenceSources): Oracle[] {
  return [
    ...(run.accept.length > 0 ? ["accept" as const] : []),
    ...(baseline && baseline.tests.length > 0 ? ["own-suite" as const] : []),
    ...(confirmed ? ["confirmed-examples" as const] : []),
    ...(heldOut.length > 0 ? ["model-tests" as const] : []),
  ];
}
