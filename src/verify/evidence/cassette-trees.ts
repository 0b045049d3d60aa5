import type { Cassette, CassetteRecording } from "../../journal/cassette.ts";
import type { Recording } from "../../journal/recording.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { exportTree, PortableTree, portableTreeId } from "../../workspace/portable-tree.ts";
import { recordedProof, treesOfProof } from "./recorded-proof.ts";

/** The contents of each tree that a cassette carries must have the id they are filed under. */
export const cassetteTreeFaults = ({ trees }: CassetteRecording): string[] =>
  Object.entries(trees).flatMap(([id, contents]) => {
    const tree = PortableTree.safeParse(contents);
    if (!tree.success) return [`tree ${id}: it cannot be read`];
    return idOf(tree.data) === id ? [] : [`tree ${id}: its contents were changed`];
  });

function idOf(tree: PortableTree): string | null {
  try {
    return portableTreeId(tree);
  } catch {
    // Paths that no tree can hold: whoever made the file chose them.
    return null;
  }
}

/** The trees that it takes to run a proof again, but for those that a bundle has in files of their own. */
export async function treesForRerun(
  recording: Recording,
  artifacts: ArtifactStore,
  { known, mayLeave }: { known: readonly (string | null)[]; mayLeave: (tree: PortableTree) => boolean },
): Promise<Cassette["trees"]> {
  const trees: Cassette["trees"] = {};
  for (const id of treesOfProof(await recordedProof(recording))) {
    if (known.includes(id) || !artifacts.has(id)) continue;
    const tree = exportTree(artifacts, id);
    if (mayLeave(tree)) trees[id] = tree;
  }
  return trees;
}
