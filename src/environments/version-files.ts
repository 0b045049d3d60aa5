import type { TreeFiles } from "./environment.ts";
import { nearestTag } from "./nearest-tag.ts";
import { projectMetadata, versionFile } from "./project-metadata.ts";

/** Files that a build of the project would write its version into, and that the tree does not have. */
export async function versionFilesOf(tree: TreeFiles, directory: string): Promise<{ path: string; content: string }[]> {
  const project = projectMetadata(tree);
  if (!project || project.versionFiles.length === 0) return [];
  const content = versionFile(project.version ?? (await nearestTag(directory)));
  return project.versionFiles.map((path) => ({ path, content }));
}
