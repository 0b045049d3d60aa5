import { fail, TerminalFailure } from "../domain/failure.ts";
import type { Faults } from "../faults.ts";
import { type ApplyIntent, intentBetween, reverseIntent } from "./apply-intent.ts";
import type { ArtifactStore } from "./artifact-store.ts";
import { type Applied, Execution, removeTemporaries } from "./execute-intent.ts";
import { UserTree } from "./user-tree.ts";
import { whileWriting } from "./writing-lock.ts";

/**
 * Plans the changes that bring the user's directory from one snapshot to another. Writes nothing. Throws
 * `apply.conflict` with the paths that the person has changed since the first snapshot.
 *
 * To continue after a conflict: import the directory again, merge the result into it, pass the gate again, and plan
 * from the new import to the merged result.
 */
export async function planApply(
  store: ArtifactStore,
  directory: string,
  base: string,
  result: string,
): Promise<ApplyIntent> {
  const intent = intentBetween(store.objects, base, result);
  refuseConflicts(new UserTree(directory), intent, "changed since the task started");
  return intent;
}

/**
 * Executes an intent, or finishes one that was cut off: paths that are done are left alone. Each file appears by
 * rename, complete and flushed. The user's index and `.git` are not touched, and no link is followed.
 */
export async function executeApply(
  intent: ApplyIntent,
  directory: string,
  store: ArtifactStore,
  faults: Faults,
): Promise<Applied> {
  return whileWriting(store, async () => {
    const tree = new UserTree(directory);
    removeTemporaries(tree, intent);
    refuseConflicts(tree, intent, "changed since the task started");
    const execution = new Execution(intent, tree, store.objects, faults);
    try {
      return await execution.run();
    } catch (error) {
      // Files that were written before the conflict must not remain alone.
      if (error instanceof TerminalFailure && error.failure.code === "apply.conflict") {
        const back = reverseIntent(intent);
        const changes = back.changes.filter(({ path }) => execution.changed.includes(path));
        await takeBack({ ...back, changes }, tree, store, faults);
      }
      throw error;
    }
  });
}

/** Takes back everything that nobody else has changed since. */
export async function takeBack(
  back: ApplyIntent,
  tree: UserTree,
  store: ArtifactStore,
  faults: Faults,
): Promise<Applied & { spared: string[] }> {
  const spared = tree.conflicts(back);
  const changes = back.changes.filter(({ path }) => !spared.includes(path));
  const { changed } = await new Execution({ ...back, changes }, tree, store.objects, faults).run();
  return { changed, spared };
}

export function refuseConflicts(tree: UserTree, intent: ApplyIntent, why: string): void {
  const conflicts = tree.conflicts(intent);
  if (conflicts.length === 0) return;
  const shown = conflicts.slice(0, 5).join(", ") + (conflicts.length > 5 ? ` and ${conflicts.length - 5} more` : "");
  throw fail("policy", "apply.conflict", `nothing was written in ${tree.root}: ${shown} ${why}`, {
    detail: conflicts.join("\n"),
  });
}
