import type { RoleArtifact } from "../domain/task/role-artifacts.ts";
import type { TaskClaim } from "../journal/claim.ts";
import type { Store } from "../store/store.ts";
import type { ArtifactStore } from "../workspace/artifact-store.ts";
import type { Entry } from "../workspace/tree.ts";
import { artifactsOfTask } from "./artifacts-of-task.ts";
import type { Recordings } from "./report-of-task.ts";

/** The branch beside those of the todos and of the result: `ai/generated/<task>/reports`. */
const REPORTS = "reports";

/**
 * Keeps what the roles made beside the code (contract, design, reports, diagnoses) in the artifact store. It follows from
 * the journal alone, so it is no step of it, and doing it again gives the same files.
 */
export async function keepReports(
  app: Recordings & { store: Store; artifacts: ArtifactStore },
  task: string,
  claim: TaskClaim | undefined,
): Promise<void> {
  const files = await artifactsOfTask(app, { id: task });
  if (files.length === 0) return;
  const snapshot = app.artifacts.putTree(task, (put) => {
    const entryOf = ({ path, content }: RoleArtifact): Entry => {
      return { path, kind: "file", id: put(Buffer.from(content)), permissions: 0o644 };
    };
    return { entries: new Map(files.map((file) => [file.path, entryOf(file)])), emptyDirectories: new Set() };
  });
  const at = Date.now();
  app.artifacts.setBranch({ task, todo: REPORTS, snapshot, message: "Reports", at, epoch: claim?.epoch ?? 0 });
}
