import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { type ChangedFile, isTestSide } from "../change/change-parts.ts";
import { sharedFile } from "../locks/test-settings.ts";

/** The code of one tree with the tests of the other: what each version of the tests says of each version of the code. */
export interface MixedTrees {
  /** Null when no test of the base was changed: then the result itself tells. */
  oldTestsOnNewCode: string | null;
  /** Null when the change brings no test. */
  newTestsOnOldCode: string | null;
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
  return {
    oldTestsOnNewCode: touchesOld ? artifacts.restore(task, result, base, paths) : null,
    newTestsOnOldCode: bringsNew ? artifacts.restore(task, base, result, paths) : null,
  };
}
