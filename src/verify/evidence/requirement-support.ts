import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import { canCarry, type HeldOutTest, heldOutId } from "../../domain/evidence/held-out.ts";
import { witnessOf } from "../../domain/evidence/witness-report.ts";
import { changesBehaviour, type Requirement } from "../../domain/plan/spec.ts";
import { needsUnseen } from "../written-tests/judge-tests.ts";
import type { EvidenceSources } from "./evidence-sources.ts";
import { caseIds, visibleTests } from "./task-tests.ts";

type RequirementEvidence = GatheredEvidence["requirements"][number];

/**
 * Whether a requirement counts as shown, and if not, why: its visible tests are green, one that the coder never saw
 * passed, and its tests notice mutants. Red before, it shows what the change brought; green before, what it kept.
 */
export function requirementSupport(
  { id, text, quote, assumption }: Requirement,
  sources: EvidenceSources,
): RequirementEvidence {
  const seen = visibleTests(sources).filter(({ requirement }) => requirement === id);
  const unseen = sources.heldOut.filter((test) => test.requirement === id);
  const isGreen = seen.length > 0 && seen.every(({ test }) => test.outcome === "passed");
  const tests = [...seen.map(({ test }) => test.id), ...unseen.flatMap(caseIds)];
  const bare = { id, text, ...(quote !== undefined && { quote }), assumption, tests };
  if (!isGreen) return { ...bare, support: "none" };
  if (!sources.spec || !needsUnseen(sources.spec))
    return { ...bare, support: seen.some(({ isGuard }) => !isGuard) ? "red-to-green" : "held" };
  if (unseen.length === 0) return { ...bare, support: "none", doubt: "seen-only" };
  const showing = unseen.filter((test) => canCarry(test) && test.outcome === "passed");
  if (showing.length === 0) return { ...bare, support: "none", doubt: "unseen-unusable", unmeasured: whyNone(unseen) };
  const witness = sources.witness && witnessOf(sources.witness, unseen.map(heldOutId));
  if (witness === "differs") return { ...bare, support: "none", doubt: "only-tested" };
  if (witness === "unlike") return { ...bare, support: "none", doubt: "unwitnessed" };
  const isBrought = showing.some(({ before }) => before === "red");
  const state = sources.measured?.sensitivity.find((one) => one.id === id)?.state;
  if (state === "unnoticed") return { ...bare, support: "none", doubt: "unnoticed" };
  if (state === "no-time") return { ...bare, support: "none", unmeasured: NO_TIME };
  if (state === "absent") return { ...bare, support: "none", unmeasured: ABSENT };
  if (state === "untold") return { ...bare, support: "none", unmeasured: sources.measured?.why ?? "" };
  // A test that was green before can only show something by being able to fail now.
  if (!isBrought && changesBehaviour(sources.spec.kind) && state !== "noticed")
    return { ...bare, support: "none", unmeasured: showing.some(isUntold) ? UNTOLD : UNTOUCHED };
  const support = isBrought ? "red-to-green" : "held";
  return { ...bare, support, ...(state === "no-mutant" && { unmeasured: noMutant(sources) }) };
}

/** Why no test that the coder did not see shows it. */
function whyNone(unseen: readonly HeldOutTest[]): string {
  const reasons = unseen.map(({ test, state, outcome, reason }) => {
    const first = reason.split("\n")[0] ?? "";
    if (state === "unspent" && outcome === null) return `${test}: it was not run`;
    if (state === "spent") return `${test}: it told the coder something`;
    return `${test}: ${state === "void" ? `ruled out, ${first}` : first || "it did not pass"}`;
  });
  return [...new Set(reasons)].join("; ").slice(0, LONGEST_REASON);
}

const LONGEST_REASON = 600;

const isUntold = ({ before }: HeldOutTest): boolean => before === "untold";

const UNTOLD = "its unseen tests pass whatever the code gives back, and notice no small change of the changed lines";

const UNTOUCHED = "it held before the change, and its unseen tests meet no small change of the changed lines";

const NO_TIME = "the time was up before a mutant showed whether its tests can fail";

const ABSENT = "its tests did not run where mutants were tried";

const noMutant = ({ measured }: EvidenceSources): string =>
  measured?.mutants ? "no changed line that its tests run has anything to mutate" : (measured?.why ?? "");
