import type { EvidenceOutcome, EvidenceTest, TestRole } from "../../domain/evidence/evidence-document.ts";
import { type HeldOutTest, heldOutId } from "../../domain/evidence/held-out.ts";
import { isNamed } from "../../domain/evidence/match-test.ts";
import type { Sharpened } from "../../domain/evidence/sharpened.ts";
import { isRed, type TestCase, type TestReport } from "../../domain/evidence/test-report.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { GateRun } from "../gate/gate.ts";

/** What a task knows of its tests at the end. */
interface TaskTests {
  spec: Spec | undefined;
  tests: TestFile[];
  /** By `file::test`, and single cases by their ids. */
  guards: string[];
  baseline: TestReport | null;
  run: GateRun;
  heldOut: HeldOutTest[];
}

interface VisibleTest {
  test: TestCase;
  requirement: string;
  /** It passed before the change. */
  isGuard: boolean;
}

/** The tester's tests that the coder saw, as the gate ran them, once for each requirement. */
export const visibleTests = ({ tests, guards, run }: TaskTests): VisibleTest[] =>
  tests.flatMap((file) =>
    file.covers.flatMap(({ test: name, requirement }) =>
      (run.report?.tests ?? [])
        .filter((test) => isNamed(test, file.path, name))
        .map((test) => ({
          test,
          requirement,
          isGuard: guards.includes(`${file.path}::${name}`) || guards.includes(test.id),
        })),
    ),
  );

/** Every test of the gate; those of the tester with what they show. */
export function seenTests(sources: TaskTests): EvidenceTest[] {
  const before = new Map(sources.baseline?.tests.map((test) => [test.id, test]));
  const covering = Map.groupBy(visibleTests(sources), ({ test }) => test.id);
  return (sources.run.report?.tests ?? []).map((test): EvidenceTest => {
    const covers = covering.get(test.id);
    const own = before.get(test.id)?.outcome ?? "absent";
    // Tests of the tester were not there before; on the base they ran as the red check saw it.
    const onOldCode = covers && (covers.at(-1)?.isGuard ? "passed" : "failed");
    return {
      id: test.id,
      origin: covers ? "visible" : before.has(test.id) ? "own" : "change",
      role: seenRole(test, onOldCode ?? own, covers !== undefined),
      before: own,
      after: test.outcome,
      ...(onOldCode && { onOldCode }),
      ...(covers && { requirements: covers.map(({ requirement }) => requirement) }),
      ...(isRed(test) && { message: test.message.slice(-600) }),
      durationMs: Math.round(test.durationMs),
    };
  });
}

function seenRole(test: TestCase, was: EvidenceOutcome, isTesters: boolean): TestRole {
  if (test.outcome === "passed") return was === "passed" ? "held" : isTesters ? "red-to-green" : "guard";
  return was === "passed" ? "broken" : was === "absent" ? "red" : "still-red";
}

const OUTCOMES: Record<Exclude<HeldOutTest["outcome"], null>, EvidenceOutcome> = {
  passed: "passed",
  red: "failed",
  stopped: "error",
  unjudged: "error",
  tampered: "error",
};

/** Those the coder did not see, each case by itself: they are in no tree, and their names are told only now. */
export function unseenTests({ heldOut }: Pick<TaskTests, "heldOut">): EvidenceTest[] {
  return [...Map.groupBy(heldOut, heldOutId).values()].flatMap((same) => {
    const test = same.at(-1);
    if (!test) return [];
    return casesOf(test).map(({ case: own, before, after }): EvidenceTest => {
      const onOldCode = before ?? "absent";
      const now =
        test.outcome === null ? "absent" : test.outcome === "passed" ? (after ?? "absent") : OUTCOMES[test.outcome];
      return {
        id: `${heldOutId(test)}${own}`,
        origin: "held-out",
        role: unseenRole(test, onOldCode),
        before: "absent",
        after: now,
        onOldCode,
        requirements: same.map(({ requirement }) => requirement),
        ...(test.state === "spent" && { spent: true }),
        ...(test.reason !== "" && { message: test.reason.split("\n")[0]?.slice(0, 200) ?? "" }),
      };
    });
  });
}

/** Ids of its cases, as the evidence lists them. */
export const caseIds = (test: HeldOutTest): string[] => casesOf(test).map((one) => `${heldOutId(test)}${one.case}`);

const casesOf = ({ cases, outcome }: HeldOutTest): HeldOutTest["cases"] =>
  cases.length > 0 ? cases : [{ case: "", before: null, after: outcome === "passed" ? "passed" : null }];

function unseenRole({ state, outcome, before }: HeldOutTest, onOldCode: EvidenceOutcome): TestRole {
  if (state === "void") return "void";
  if (state === "unusable" || outcome === "unjudged" || (outcome === "passed" && before === "untold")) return "guard";
  if (outcome !== "passed") return "red";
  return onOldCode === "passed" ? "held" : "red-to-green";
}

const SHARPER: Record<Sharpened["tests"][number]["end"], { role: TestRole; after: EvidenceOutcome } | null> = {
  kept: { role: "guard", after: "passed" },
  idle: null,
  upheld: { role: "red", after: "failed" },
  // Among the unseen ones, as spent.
  mended: null,
  void: { role: "void", after: "failed" },
};

/** They show no requirement, whatever they say. */
export const sharperTests = (sharpened: Sharpened | undefined): EvidenceTest[] =>
  (sharpened?.tests ?? []).flatMap(({ id, end, noticed, reason }) => {
    const worth = SHARPER[end];
    const message = noticed.length > 0 ? `notices ${noticed.join("; ")}` : reason;
    return worth ? [{ id, origin: "held-out" as const, before: "absent" as const, ...worth, message }] : [];
  });
