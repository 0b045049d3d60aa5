import { rmSync } from "node:fs";
import { ArtifactStore } from "../../workspace/artifact-store.ts";
import { importTree, PortableTree } from "../../workspace/portable-tree.ts";
import { makeScratch } from "../../workspace/scratch-directory.ts";
import { BUNDLE } from "./bundle.ts";

/** The trees that a bundle carries, in a store of their own. */
export interface BundleTrees {
  artifacts: ArtifactStore;
  /** By the name of its file: the id of its contents, or null where they cannot be read as a tree. */
  ids: ReadonlyMap<string, string | null>;
}

/** Opens the trees of a bundle for as long as `work` takes. */
export async function withTrees<T>(
  files: ReadonlyMap<string, Buffer>,
  work: (trees: BundleTrees) => Promise<T>,
): Promise<T> {
  const directory = makeScratch("bundle");
  const artifacts = ArtifactStore.open(directory);
  try {
    const ids = new Map<string, string | null>();
    for (const name of [BUNDLE.baseTree, BUNDLE.resultTree]) {
      const content = files.get(name);
      if (content) ids.set(name, putTree(artifacts, content));
    }
    return await work({ artifacts, ids });
  } finally {
    artifacts.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function putTree(artifacts: ArtifactStore, content: Buffer): string | null {
  try {
    return importTree(artifacts, "check", PortableTree.parse(JSON.parse(content.toString("utf8"))));
  } catch {
    // Whoever made the bundle chose these bytes: no error of reading them is ours.
    return null;
  }
}
