import type { EvidenceOutcome, EvidenceTest, TestRole } from "../../domain/evidence/evidence-document.ts";
import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import type { Sharpened } from "../../domain/evidence/sharpened.ts";
import { isRed, type TestCase } from "../../domain/evidence/test-report.ts";
import type { RecordedRuns } from "./recorded-runs.ts";

/** Every test that the document of a task lists: those of the last gate, then those that the coder did not see. */
export const testsOfTask = (evidence: GatheredEvidence | null, runs: RecordedRuns): EvidenceTest[] => [
  ...seenTests(evidence, runs),
  ...unseenTests(evidence),
  ...sharperTests(evidence),
];

/** Those of the tester with what they show. */
function seenTests(evidence: GatheredEvidence | null, { gate, baseline }: RecordedRuns): EvidenceTest[] {
  const before = new Map(baseline?.tests.map((test) => [test.id, test]));
  const covering = new Map<string, { before: "red" | "passed"; requirements: string[] }>();
  for (const { id: requirement, tests } of evidence?.requirements ?? []) {
    for (const { id, before: was } of tests) {
      const known = covering.get(id)?.requirements ?? [];
      covering.set(id, { before: was, requirements: [...known, requirement] });
    }
  }
  return (gate?.tests ?? []).map((test): EvidenceTest => {
    const cover = covering.get(test.id);
    const own = before.get(test.id)?.outcome ?? "absent";
    // Tests of the tester were not there before; on the base they ran as the red check saw it.
    const onOldCode = cover && (cover.before === "red" ? "failed" : "passed");
    return {
      id: test.id,
      origin: cover ? "visible" : before.has(test.id) ? "own" : "change",
      role: seenRole(test, onOldCode ?? own, cover !== undefined),
      before: own,
      after: test.outcome,
      ...(onOldCode && { onOldCode }),
      ...(cover && { requirements: cover.requirements }),
      ...(isRed(test) && { message: test.message.slice(-600) }),
      durationMs: Math.round(test.durationMs),
    };
  });
}

function seenRole(test: TestCase, was: EvidenceOutcome, isTesters: boolean): TestRole {
  if (test.outcome === "passed") return was === "passed" ? "held" : isTesters ? "red-to-green" : "guard";
  return was === "passed" ? "broken" : was === "absent" ? "red" : "still-red";
}

/** Those the coder did not see: they are in no tree, and their names are told only now. */
function unseenTests(evidence: GatheredEvidence | null): EvidenceTest[] {
  const found = new Map<string, EvidenceTest>();
  for (const { id: requirement, tests } of evidence?.requirements ?? []) {
    for (const { id, before, after, heldOut, state, reason } of tests) {
      if (!heldOut) continue;
      const requirements = [...(found.get(id)?.requirements ?? []), requirement];
      found.set(id, {
        id,
        origin: "held-out",
        role: unseenRole(before, after, state),
        before: "absent",
        after: after === "skipped" ? "absent" : after,
        onOldCode: before === "red" ? "failed" : "passed",
        requirements,
        ...(state === "spent" && { spent: true }),
        ...(reason !== undefined && { message: reason }),
      });
    }
  }
  return [...found.values()];
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
function sharperTests(evidence: GatheredEvidence | null): EvidenceTest[] {
  return (evidence?.sharpened?.tests ?? []).flatMap(({ id, end, noticed, reason }) => {
    const worth = SHARPER[end];
    const message = noticed.length > 0 ? `notices ${noticed.join("; ")}` : reason;
    return worth ? [{ id, origin: "held-out" as const, before: "absent" as const, ...worth, message }] : [];
  });
}

function unseenRole(before: "red" | "passed", after: string, state: string | undefined): TestRole {
  if (state === "void") return "void";
  if (state === "unusable") return "guard";
  if (after !== "passed") return "red";
  return before === "red" ? "red-to-green" : "held";
}
