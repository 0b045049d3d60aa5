import type { Evidence } from "../../domain/evidence/evidence.ts";
import type { EvidenceOutcome, EvidenceTest, TestRole } from "../../domain/evidence/evidence-document.ts";
import type { Sharpened } from "../../domain/evidence/sharpened.ts";

/** Those the coder did not see: they are in no tree, and their names are told only now. */
export function unseenTests(evidence: Evidence | null): EvidenceTest[] {
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
export function sharperTests(evidence: Evidence | null): EvidenceTest[] {
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
