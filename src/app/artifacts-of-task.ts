import { TerminalFailure } from "../domain/failure.ts";
import type { Event } from "../domain/task/event.ts";
import { type RoleArtifact, roleArtifacts } from "../domain/task/role-artifacts.ts";
import type { TaskSummary } from "../domain/task/task.ts";
import { eventsOf } from "../store/events.ts";
import type { Store } from "../store/store.ts";
import { testSkeletons } from "../verify/contract/test-skeletons.ts";
import { lastGate, type Recordings, reportOfTask } from "./report-of-task.ts";

/** What the roles of a task produced beside the code, as files. */
export async function artifactsOfTask(
  app: Recordings & { store: Store },
  task: Pick<TaskSummary, "id">,
): Promise<RoleArtifact[]> {
  const events: Event[] = [];
  for await (const event of eventsOf(app.store, task.id)) events.push(event);
  const spec = events.findLast((event) => event.type === "plan-made" || event.type === "plan-updated")?.spec;
  const made = events.findLast((event) => event.type === "contract-made" || event.type === "contract-amended");
  const contract = made?.contract ?? spec?.contract;
  const gate = await lastGate(app, task);
  return roleArtifacts({
    task: task.id,
    events,
    report: await reportOfTask(app, task).catch(withoutTests),
    gate: gate && { checks: gate.checks ?? [], accept: gate.accept },
    skeletons: contract && spec ? testSkeletons(contract, spec.requirements, spec.language) : "",
  });
}

function withoutTests(error: unknown): null {
  if (error instanceof TerminalFailure && error.failure.code === "report.none") return null;
  throw error;
}
