import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { type ChangedFile, isTestSide } from "../change/change-parts.ts";
import { sharedFile } from "../locks/test-settings.ts";

/** The code of one tree with the tests of the other: what each version of the tests says of each version of the code. */
export interface MixedTrees {
  /** Null when no test of the base was changed: then the result itself tells. */
  oldTestsOnNewCode: MixedTree | null;
  /** Null when the change brings no test. */
  newTestsOnOldCode: MixedTree | null;
}

export interface MixedTree {
  tree: string;
  /** Test files that are run there: the changed ones; null: all, because what they lean on was changed. */
  files: string[] | null;
  /** Test files that differ between the two sides. */
  changed: string[];
}

/** `result`: as it is judged, with the settings of the base. What is shared with the code stays on its side. */
export function mixTrees(
  artifacts: ArtifactStore,
  task: string,
  { base, result }: { base: string; result: string },
  files: readonly ChangedFile[],
): MixedTrees {
  const [old, now] = [artifacts.tree(base).entries, artifacts.tree(result).entries];
  const tests = files.filter((file) => {
    const [before, after] = [old.get(file.path), now.get(file.path)];
    const isSame = before?.id === after?.id && before?.kind === after?.kind;
    return isTestSide(file) && !sharedFile(file.path) && !isSame;
  });
  const touchesOld = tests.some(({ part, path }) => part !== "test" || old.has(path));
  const bringsNew = tests.some(({ path }) => now.has(path));
  const paths = tests.map(({ path }) => path);
  // What tests lean on may change what any of them says.
  const areTests = tests.every(({ part }) => part === "test");
  const mixed = (tree: string, side: { has(path: string): boolean }): MixedTree => ({
    tree,
    files: areTests ? paths.filter((path) => side.has(path)) : null,
    changed: paths,
  });
  return {
    oldTestsOnNewCode: touchesOld ? mixed(artifacts.restore(task, result, base, paths), old) : null,
    newTestsOnOldCode: bringsNew ? mixed(artifacts.restore(task, base, result, paths), now) : null,
  };
}
