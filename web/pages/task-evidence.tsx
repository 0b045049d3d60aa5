import { api } from "../api.ts";
import { EvidenceView } from "../evidence/evidence-view.tsx";
import { hasEnded } from "../live/task-catalogue.ts";
import { useResource } from "../live/use-resource.ts";
import { Hint, Trouble, Waiting } from "../parts/notice.tsx";
import type { TaskView } from "../shapes.ts";

/** Why the result of a task may be believed. */
export function TaskEvidence({ task, version }: { task: TaskView; version: number }) {
  const document = useResource((signal) => api.evidence(task.id, signal), [task.id], {
    version: [version, task.state],
  });
  const diff = useResource((signal) => api.diff(task.id, signal).catch(() => ""), [task.id], {
    version: [version, task.state],
  });
  // Without the code it would say for a moment that there is none.
  if (document.value && diff.value !== undefined) return <EvidenceView document={document.value} patch={diff.value} />;
  if (!document.problem) return <Waiting what="Gathering the evidence" />;
  if (!hasEnded(task.state)) return <Hint>There is no evidence before there is a result.</Hint>;
  return <Trouble problem={document.problem} />;
}
