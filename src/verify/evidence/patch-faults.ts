import { rmSync } from "node:fs";
import { ArtifactStore } from "../../workspace/artifact-store.ts";
import { importTree, type PortableTree } from "../../workspace/portable-tree.ts";
import { makeScratch } from "../../workspace/scratch-directory.ts";
import { BUNDLE } from "./bundle.ts";

/** The patch is what most people read of a bundle: made again from the two trees it must be the same. */
export async function patchFaults(patch: Buffer, base: PortableTree, result: PortableTree): Promise<string[]> {
  const directory = makeScratch("patch");
  const store = ArtifactStore.open(directory);
  try {
    const made = await store.diff(importTree(store, "check", base), importTree(store, "check", result));
    if (plain(made) === plain(patch.toString("utf8"))) return [];
    return [`${BUNDLE.patch}: it does not say what the trees say`];
  } finally {
    store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** How many digits of an object's name git writes depends on the repository, and the words behind `@@` on its version. */
const plain = (patch: string): string =>
  patch.replace(/^index [0-9a-f]+\.\.[0-9a-f]+/gm, "index").replace(/^(@@ [-+, 0-9]+ @@).*$/gm, "$1");
