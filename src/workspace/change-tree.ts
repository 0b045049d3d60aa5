import { fail } from "../domain/failure.ts";
import { isStorablePath } from "./left-out.ts";
import type { ObjectBatch } from "./object-database.ts";
import type { Tree } from "./tree.ts";

/** The new content of a file, and its permissions. */
export interface OverlayFile {
  path: string;
  content: string | Uint8Array;
  permissions?: number;
}

/** Refuses a path that a snapshot would leave out. */
export function putOver(tree: Tree, files: OverlayFile[], batch: ObjectBatch): void {
  for (const { path, content, permissions } of files) {
    if (!isStorablePath(path)) {
      throw fail("policy", "scope.outside", `${path} cannot be part of a workspace: choose another path`);
    }
    const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(content);
    const before = tree.entries.get(path);
    const kept = before?.kind === "file" ? before.permissions : 0o644;
    removeInTheWay(tree, path);
    tree.entries.set(path, { path, kind: "file", id: batch.put("blob", bytes), permissions: permissions ?? kept });
  }
}

/** A directory's path stands for all below it. */
export function removePaths(tree: Tree, paths: string[]): void {
  const isGone = (path: string) => paths.some((gone) => path === gone || path.startsWith(`${gone}/`));
  for (const path of tree.entries.keys()) if (isGone(path)) tree.entries.delete(path);
  for (const path of tree.emptyDirectories) if (isGone(path)) tree.emptyDirectories.delete(path);
}

/** Takes these paths from the other tree, or removes them if the other tree does not have them. */
export function takePathsFrom(tree: Tree, other: Tree, paths: string[]): void {
  for (const path of paths) {
    const entry = other.entries.get(path);
    tree.entries.delete(path);
    if (!entry) continue;
    removeInTheWay(tree, path);
    tree.entries.set(path, entry);
  }
}

/** If a file meets a directory, or a path lies below a former file, the new entry wins. */
function removeInTheWay(tree: Tree, path: string): void {
  for (const other of tree.entries.keys()) {
    if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) tree.entries.delete(other);
  }
}
