import type { Faults } from "../faults.ts";
import { refuseConflicts, takeBack } from "./apply.ts";
import { type ApplyIntent, reverseIntent } from "./apply-intent.ts";
import type { ArtifactStore } from "./artifact-store.ts";
import { type Applied, Execution, removeTemporaries } from "./execute-intent.ts";
import { UserTree } from "./user-tree.ts";
import { whileWriting } from "./writing-lock.ts";

/**
 * Takes an applied or half applied intent back. Paths that a person has changed since: `refuse` writes nothing and names
 * them, `force` puts the old content there all the same, `spare` leaves them and takes back the rest. Directories and
 * links in the way are respected even then.
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
