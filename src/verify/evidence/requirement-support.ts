import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import { heldOutId } from "../../domain/evidence/held-out.ts";
import { witnessOf } from "../../domain/evidence/witness-report.ts";
import { changesBehaviour, type Requirement } from "../../domain/plan/spec.ts";
import { needsUnseen } from "../written-tests/judge-tests.ts";
import type { EvidenceSources } from "./evidence-sources.ts";
import { visibleTests } from "./task-tests.ts";

type RequirementEvidence = GatheredEvidence["requirements"][number];

/**
 * Whether a requirement counts as shown, and if not, why: its visible tests are green, one that the coder never saw
 * passed, and its tests notice mutants.
 */
export function requirementSupport(
  { id, text, quote, assumption }: Requirement,
  sources: EvidenceSources,
): RequirementEvidence {
  const seen = visibleTests(sources).filter(({ requirement }) => requirement === id);
  const unseen = sources.heldOut.filter((test) => test.requirement === id);
  const kind = sources.spec?.kind ?? "chore";
  const isGreen = seen.length > 0 && seen.every(({ test }) => test.outcome === "passed");
  const isShown = unseen.some((test) => test.state === "unspent" && test.outcome === "passed");
  const tests = [...seen.map(({ test }) => test.id), ...unseen.map(heldOutId)];
  const bare = { id, text, ...(quote !== undefined && { quote }), assumption, tests };
  if (!isGreen) return { ...bare, support: "none" };
  if (sources.spec && needsUnseen(sources.spec)) {
    if (!isShown) return { ...bare, support: "none", doubt: "seen-only" };
    const witness = sources.witness && witnessOf(sources.witness, unseen.map(heldOutId));
    if (witness === "differs") return { ...bare, support: "none", doubt: "only-tested" };
    if (witness === "unlike") return { ...bare, support: "none", doubt: "unwitnessed" };
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
