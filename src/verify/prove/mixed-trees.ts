import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { Entry } from "../../workspace/tree.ts";
import { type ChangedFile, isTestSide } from "../change/change-parts.ts";
import { withTestFieldsOf } from "../locks/test-config.ts";

/** The code of one tree with the tests of the other: what each version of the tests says of each version of the code. */
export interface MixedTrees {
  /** Null when no test of the base was changed: then the result itself tells. */
  oldTestsOnNewCode: string | null;
  /** Null when the change brings no test. */
  newTestsOnOldCode: string | null;
  /** The result with the base's test configuration; null when that was not changed. */
  oldConfigOnNewCode: string | null;
}

export function mixTrees(
  artifacts: ArtifactStore,
  task: string,
  { base, result }: { base: string; result: string },
  files: ChangedFile[],
): MixedTrees {
  const tests = files.filter(isTestSide);
  const config = files.filter(({ part }) => part === "test-config");
  const touchesOld = tests.some(({ part, change }) => part !== "test" || change !== "added");
  const bringsNew = tests.some(({ change }) => change !== "deleted");
  const mix = (onto: string, taken: ChangedFile[], side: "before" | "after") =>
    artifacts.putTree(task, (put) => {
      const tree = artifacts.tree(onto);
      for (const file of taken) {
        const entry = mixed(artifacts, file, side, put);
        if (entry) tree.entries.set(file.path, entry);
        else tree.entries.delete(file.path);
      }
      return tree;
    });
  return {
    oldTestsOnNewCode: touchesOld ? mix(result, tests, "before") : null,
    newTestsOnOldCode: bringsNew ? mix(base, tests, "after") : null,
    oldConfigOnNewCode: config.length > 0 ? mix(result, config, "before") : null,
  };
}

/** A manifest is shared with the code: only its test-related fields change sides. */
function mixed(
  artifacts: ArtifactStore,
  { path, before, after }: ChangedFile,
  side: "before" | "after",
  put: (content: Buffer) => string,
): Entry | null {
  const [taken, other] = side === "before" ? [before, after] : [after, before];
  if (!/(^|\/)package\.json$/.test(path) || !taken || !other) return taken;
  const text = (entry: Entry) => artifacts.readBlob(entry.id).toString("utf8");
  return { ...other, id: put(Buffer.from(withTestFieldsOf(text(taken), text(other)))) };
}
