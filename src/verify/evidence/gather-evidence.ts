import type { Dispute } from "../../domain/evidence/dispute.ts";
import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import { type HeldOutTest, heldOutId } from "../../domain/evidence/held-out.ts";
import { isNamed } from "../../domain/evidence/match-test.ts";
import type { Measured } from "../../domain/evidence/measured.ts";
import { isKilled, survivors, withoutKill } from "../../domain/evidence/mutant-report.ts";
import type { Oracle } from "../../domain/evidence/oracle.ts";
import type { ReplacedTest } from "../../domain/evidence/replaced-test.ts";
import type { Sharpened } from "../../domain/evidence/sharpened.ts";
import type { SpeedReport } from "../../domain/evidence/speed.ts";
import { countTests, type TestOutcome, type TestReport } from "../../domain/evidence/test-report.ts";
import { changesBehaviour, type GoalKind, type Requirement, type Spec } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { GateRun } from "../gate/gate.ts";
import { needsUnseen } from "../written-tests/judge-tests.ts";

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
  sameModel?: boolean;
  measured?: Measured;
  speed?: SpeedReport[];
  sharpened?: Sharpened;
  replaced?: ReplacedTest[];
}

type RequirementEvidence = GatheredEvidence["requirements"][number];

export function gatherEvidence(sources: EvidenceSources): GatheredEvidence {
  const { spec, baseline, run, disputes, tampering, sameModel, speed } = sources;
  return {
    tree: run.tree,
    requirements: (spec?.requirements ?? []).map((requirement) => evidenceOf(requirement, sources)),
    suite: { before: baseline && counts(baseline), after: run.report && counts(run.report) },
    accept: run.accept.map(({ command, passed, ending }) => ({ command, passed, ending })),
    ...(disputes && disputes.length > 0 && { disputes }),
    ...(spec?.amendments && { amended: spec.amendments }),
    ...(sources.replaced && sources.replaced.length > 0 && { replaced: sources.replaced }),
    ...(spec?.superseded && { superseded: spec.superseded }),
    ...(tampering && tampering.length > 0 && { tampering: [...new Set(tampering)] }),
    ...(spec && { carriedBy: oracles(sources) }),
    ...(sameModel !== undefined && { sameModel }),
    ...(speed && { speed }),
    ...measures(sources),
    ...(sources.sharpened && { sharpened: sources.sharpened }),
  };
}

function evidenceOf({ id, text, assumption }: Requirement, sources: EvidenceSources): RequirementEvidence {
  const seen = visibleTests(id, sources);
  const unseen = (sources.heldOut ?? []).filter((test) => test.requirement === id);
  const kind = sources.spec?.kind ?? "chore";
  const isGreen = seen.length > 0 && seen.every((test) => test.after === "passed");
  const isShown = unseen.some((test) => test.state === "unspent" && test.outcome === "passed");
  const tests = [...seen, ...unseen.map((test) => toTest(test, kind))];
  const bare = { id, text, assumption, tests };
  if (!isGreen) return { ...bare, support: "none" };
  if (sources.spec && needsUnseen(sources.spec)) {
    if (!isShown) return { ...bare, support: "none", seenOnly: true };
    const support = changesBehaviour(kind) ? "red-to-green" : "held";
    const notice = sources.measured?.notices?.find((one) => one.id === id)?.notice;
    if (notice === "unnoticed" || (notice === undefined && noticesNothing(id, sources)))
      return { ...bare, support: "none", unnoticed: true };
    if (notice === "no-time") return { ...bare, support: "none", unmeasured: NO_TIME };
    if (notice === "absent") return { ...bare, support: "none", unmeasured: ABSENT };
    if (notice === "untold") return { ...bare, support: "none", unmeasured: sources.measured?.why ?? "" };
    return { ...bare, support, ...(notice === "no-mutant" && { unmeasured: noMutant(sources) }) };
  }
  return { ...bare, support: seen.some((test) => test.before === "red") ? "red-to-green" : "held" };
}

const NO_TIME = "the time was up before a mutant showed whether its tests can fail";

const ABSENT = "its tests did not run where mutants were tried";

const noMutant = ({ measured }: EvidenceSources): string =>
  measured?.mutants ? "no changed line that its tests run has anything to mutate" : (measured?.why ?? "");

/** For recordings that do not tell it for each requirement. All mutants ran, and no expectation of this requirement's tests noticed one. Of those that time was too short for nothing is known. */
function noticesNothing(id: string, { measured }: EvidenceSources): boolean {
  const { mutants } = measured ?? {};
  if (!mutants || mutants.problem !== null) return false;
  const ran = mutants.results.some((result) => isKilled(result) || result.fate === "survived");
  return ran && mutants.counts.notRun === 0 && withoutKill(mutants).includes(id);
}

const NAMED_SURVIVORS = 20;

function measures({ measured }: EvidenceSources): Pick<GatheredEvidence, "mutants" | "uncovered" | "flaky"> {
  if (!measured) return {};
  const { mutants, flakes, coverage, why } = measured;
  const { killed = 0, timedOut = 0, survived = 0, notRun = 0 } = mutants?.counts ?? {};
  const left = mutants ? survivors(mutants).slice(0, NAMED_SURVIVORS) : [];
  const named = left.map(({ path, line, description }) => `${path}:${line} ${description}`);
  const uncovered = (coverage?.files ?? []).flatMap((file) =>
    file.available ? file.uncovered.map(({ from, to }) => `${file.path}:${from === to ? from : `${from}-${to}`}`) : [],
  );
  const flaky = flakes?.flipped.map(({ id }) => id) ?? [];
  return {
    mutants: { killed: killed + timedOut, survived, notRun, score: mutants?.score ?? null, survivors: named, why },
    ...(uncovered.length > 0 && { uncovered }),
    ...(flaky.length > 0 && { flaky }),
  };
}

function visibleTests(id: string, { tests, guards, run }: EvidenceSources): RequirementEvidence["tests"] {
  return tests.flatMap((file) =>
    file.covers
      .filter((cover) => cover.requirement === id)
      .flatMap(({ test: name }) =>
        (run.report?.tests ?? [])
          .filter((test) => isNamed(test, file.path, name))
          .map((test) => ({
            id: test.id,
            before: guards.includes(`${file.path}::${name}`) ? ("passed" as const) : ("red" as const),
            after: test.outcome,
          })),
      ),
  );
}

const OUTCOMES: Record<Exclude<HeldOutTest["outcome"], null>, TestOutcome> = {
  passed: "passed",
  red: "failed",
  stopped: "error",
  tampered: "error",
};

function toTest(test: HeldOutTest, kind: GoalKind): RequirementEvidence["tests"][number] {
  return {
    id: heldOutId(test),
    before: changesBehaviour(kind) && test.state !== "unusable" ? "red" : "passed",
    after: test.outcome === null ? "skipped" : OUTCOMES[test.outcome],
    heldOut: true,
    state: test.state,
    ...(test.reason !== "" && { reason: test.reason.split("\n")[0]?.slice(0, 200) ?? "" }),
  };
}

/** What the verdict rests on, the strongest first. */
function oracles({ run, baseline, confirmed, heldOut }: EvidenceSources): Oracle[] {
  return [
    ...(run.accept.length > 0 ? ["accept" as const] : []),
    ...(baseline && baseline.tests.length > 0 ? ["own-suite" as const] : []),
    ...(confirmed ? ["confirmed-examples" as const] : []),
    ...(heldOut && heldOut.length > 0 ? ["model-tests" as const] : []),
  ];
}

/** Those that did not run are not counted here. */
function counts(report: TestReport): { passed: number; red: number } {
  const { passed, red } = countTests(report);
  return { passed, red };
}
