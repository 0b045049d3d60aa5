import type { TaskSummary } from "../domain/task/task.ts";
import { type Cassette, exportCassette } from "../journal/cassette.ts";
import { readFrozen } from "../journal/journal.ts";
import type { Recording } from "../journal/recording.ts";
import { recordedTask } from "../verify/evidence/recorded-task.ts";
import type { ArtifactStore } from "../workspace/artifact-store.ts";
import { exportTree } from "../workspace/portable-tree.ts";
import { filesWithSecrets } from "./files-with-secrets.ts";

interface RecordingApp {
  artifacts: ArtifactStore;
  recording(task: string): Promise<Recording>;
}

/** Everything to replay a task elsewhere. A tree with a secret in it stays here: the second list says which file holds it. */
export async function cassetteOfTask(
  app: RecordingApp,
  task: TaskSummary,
  secrets: string[],
): Promise<{ cassette: Cassette; leftOut: { tree: string; file: string }[] }> {
  const { artifacts } = app;
  const recording = await app.recording(task.id);
  // Where a template or an unapplied result was the beginning, the work did not begin with the directory.
  const frozen = await readFrozen(recording);
  // What was proven has its tests where they were written; in what was delivered they stand where the project has its own.
  const proven = (await recordedTask(recording, frozen)).evidence?.tree;
  const named = [task.baseTree, frozen.request.startTree, proven, task.resultTree];
  const kept = [...new Set(named)].flatMap((id) => (id && artifacts.has(id) ? [id] : []));
  const trees: Cassette["trees"] = {};
  const leftOut: { tree: string; file: string }[] = [];
  for (const id of kept) {
    const tree = exportTree(artifacts, id);
    const [holder] = filesWithSecrets(tree, secrets);
    if (holder === undefined) trees[id] = tree;
    else leftOut.push({ tree: id, file: holder });
  }
  return { cassette: await exportCassette(recording, trees), leftOut };
}
