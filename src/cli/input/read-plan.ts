import type { PlanFile } from "../../domain/plan/plan-file.ts";

/** The plan of `run --plan FILE`: what `miracle validate --type plan` accepts, and nothing else. */
export async function readPlan(file: string, directory: string): Promise<PlanFile> {
  const { readDocument } = await import("./read-document.ts");
  const { documentKinds } = await import("./document-kinds.ts");
  const { planFrom, WrittenPlan } = await import("../../domain/plan/written-plan.ts");
  return planFrom(WrittenPlan.parse(readDocument(documentKinds.plan, file, directory)));
}
