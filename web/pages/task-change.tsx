import { api } from "../api.ts";
import { DiffView } from "../code/diff-view.tsx";
import { hasEnded } from "../live/task-catalogue.ts";
import { useResource } from "../live/use-resource.ts";
import { Hint, Trouble, Waiting } from "../parts/notice.tsx";
import type { TaskView } from "../shapes.ts";

/** The change so far. */
export function TaskChange({ task, version }: { task: TaskView; version: number }) {
  const diff = useResource((signal) => api.diff(task.id, signal), [task.id], { version: [version, task.state] });
  if (diff.problem?.code === "task.no-result") return <Hint>It has not changed anything yet.</Hint>;
  return (
    <>
      <Trouble problem={diff.problem} />
      {diff.value === undefined && !diff.problem && <Waiting what="Asking for the change" />}
      {diff.value !== undefined && !hasEnded(task.state) && <Hint>So far, as the coder left it last.</Hint>}
      {diff.value !== undefined && <DiffView patch={diff.value} />}
    </>
  );
}
