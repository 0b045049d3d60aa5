import type { Faults } from "../faults.ts";
import { refuseConflicts, takeBack } from "./apply.ts";
import { type ApplyIntent, reverseIntent } from "./apply-intent.ts";
import type { ArtifactStore } from "./artifact-store.ts";
import { type Applied, Execution, removeTemporaries } from "./execute-intent.ts";
import { UserTree } from "./user-tree.ts";
import { whileWriting } from "./writing-lock.ts";

/**
 * Takes back an intent that was applied, or half applied. For paths that a person has changed since: `refuse` writes
 * nothing and names them, `force` puts the old content there anyway, `spare` leaves them and takes back the rest. Even
 * `force` respects directories and links in the way.
 */
export async function undoApply(
  intent: ApplyIntent,
  directory: string,
  store: ArtifactStore,
  faults: Faults,
  edited: "refuse" | "force" | "spare" = "refuse",
): Promise<Applied & { spared: string[] }> {
  const back = reverseIntent(intent);
  return whileWriting(store, async () => {
    const tree = new UserTree(directory);
    removeTemporaries(tree, back);
    if (edited === "refuse") refuseConflicts(tree, back, "changed since the result was applied");
    if (edited === "spare") return takeBack(back, tree, store, faults);
    const { changed } = await new Execution(back, tree, store.objects, faults, edited === "force").run();
    return { changed, spared: [] };
  });
}
