import type { Dispute } from "../../domain/evidence/dispute.ts";
import { suiteRunOf } from "../../domain/evidence/evidence-document.ts";
import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import { type HeldOutTest, heldOutId } from "../../domain/evidence/held-out.ts";
import type { Measured } from "../../domain/evidence/measured.ts";
import type { Oracle } from "../../domain/evidence/oracle.ts";
import type { ReplacedTest } from "../../domain/evidence/replaced-test.ts";
import type { Sharpened } from "../../domain/evidence/sharpened.ts";
import type { SpeedReport } from "../../domain/evidence/speed.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { changesBehaviour, type Requirement, type Spec } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { GateRun } from "../gate/gate.ts";
import { needsUnseen } from "../written-tests/judge-tests.ts";
import { seenTests, sharperTests, unseenTests, visibleTests } from "./task-tests.ts";

export interface EvidenceSources {
  spec: Spec | undefined;
  /** Those the coder saw. */
  tests: TestFile[];
  /** Tests that passed before the change. */
  guards: string[];
  baseline: TestReport | null;
  run: GateRun;
  /** Those it did not see, as they went on the finished change. */
  heldOut?: HeldOutTest[];
  disputes?: Dispute[];
  tampering?: string[];
  /** A person saw the plan with its examples and said yes. */
  confirmed?: boolean;
  measured?: Measured;
  speed?: SpeedReport[];
  sharpened?: Sharpened;
  replaced?: ReplacedTest[];
}

/** The document of a task as far as the loop knows it. Tests are listed once, requirements name them. */
export function gatherEvidence(sources: EvidenceSources): GatheredEvidence {
  const { spec, baseline, run, measured, disputes = [], tampering = [], replaced = [], speed, sharpened } = sources;
  return {
    tree: run.tree,
    carriedBy: oracles(sources),
    requirements: (spec?.requirements ?? []).map((requirement) => evidenceOf(requirement, sources)),
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
    notChecked: measured && measured.why !== "" ? [{ check: "mutants", why: measured.why }] : [],
    ...(spec?.amendments && { amended: spec.amendments }),
    ...(spec?.superseded && { superseded: spec.superseded }),
    ...(replaced.length > 0 && { replaced }),
    ...(speed && { speed }),
    ...(sharpened && { sharpened }),
  };
}

type RequirementEvidence = GatheredEvidence["requirements"][number];

function evidenceOf({ id, text, quote, assumption }: Requirement, sources: EvidenceSources): RequirementEvidence {
  const seen = visibleTests(sources).filter(({ requirement }) => requirement === id);
  const unseen = (sources.heldOut ?? []).filter((test) => test.requirement === id);
  const kind = sources.spec?.kind ?? "chore";
  const isGreen = seen.length > 0 && seen.every(({ test }) => test.outcome === "passed");
  const isShown = unseen.some((test) => test.state === "unspent" && test.outcome === "passed");
  const tests = [...seen.map(({ test }) => test.id), ...unseen.map(heldOutId)];
  const bare = { id, text, ...(quote !== undefined && { quote }), assumption, tests };
  if (!isGreen) return { ...bare, support: "none" };
  if (sources.spec && needsUnseen(sources.spec)) {
    if (!isShown) return { ...bare, support: "none", doubt: "seen-only" };
    const support = changesBehaviour(kind) ? "red-to-green" : "held";
    const state = sources.measured?.sensitivity.find((one) => one.id === id)?.state;
    if (state === "unnoticed") return { ...bare, support: "none", doubt: "unnoticed" };
    if (state === "no-time") return { ...bare, support: "none", unmeasured: NO_TIME };
    if (state === "absent") return { ...bare, support: "none", unmeasured: ABSENT };
    if (state === "untold") return { ...bare, support: "none", unmeasured: sources.measured?.why ?? "" };
    return { ...bare, support, ...(state === "no-mutant" && { unmeasured: noMutant(sources) }) };
  }
  return { ...bare, support: seen.some(({ isGuard }) => !isGuard) ? "red-to-green" : "held" };
}

const NO_TIME = "the time was up before a mutant showed whether its tests can fail";

const ABSENT = "its tests did not run where mutants were tried";

const noMutant = ({ measured }: EvidenceSources): string =>
  measured?.mutants ? "no changed line that its tests run has anything to mutate" : (measured?.why ?? "");

/** What the verdict rests on, the strongest first. */
function oracles({ run, baseline, confirmed, heldOut }: EvidenceSources): Oracle[] {
  return [
    ...(run.accept.length > 0 ? ["accept" as const] : []),
    ...(baseline && baseline.tests.length > 0 ? ["own-suite" as const] : []),
    ...(confirmed ? ["confirmed-examples" as const] : []),
    ...(heldOut && heldOut.length > 0 ? ["model-tests" as const] : []),
  ];
}
