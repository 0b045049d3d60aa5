import type { Faults } from "../faults.ts";
import { type Applied, Execution, refuseConflicts, removeTemporaries } from "./apply.ts";
import { type ApplyIntent, reverseIntent } from "./apply-intent.ts";
import type { ArtifactStore } from "./artifact-store.ts";
import { UserTree } from "./user-tree.ts";
import { whileWriting } from "./writing-lock.ts";

/**
 * Takes an applied or half applied intent back. Refuses with the paths that a person has changed since; `force` puts
 * the old content there all the same. Directories and links in the way are respected even then.
 */
export async function undoApply(
  intent: ApplyIntent,
  directory: string,
  store: ArtifactStore,
  faults: Faults,
  options: { force?: boolean } = {},
): Promise<Applied> {
  const back = reverseIntent(intent);
  const force = options.force ?? false;
  return whileWriting(store, () => {
    const tree = new UserTree(directory);
    removeTemporaries(tree, back);
    if (!force) refuseConflicts(tree, back, "changed since the result was applied");
    return new Execution(back, tree, store.objects, faults, force).run();
  });
}
