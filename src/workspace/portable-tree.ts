import { rmSync } from "node:fs";
import { z } from "zod";
import { ArtifactStore } from "./artifact-store.ts";
import { makeScratch } from "./scratch-directory.ts";

/** The contents of a snapshot as plain JSON, so that a cassette can carry them and anybody can open them. */
export const PortableTree = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(["file", "link"]),
      permissions: z.int(),
      encoding: z.enum(["utf8", "base64"]),
      content: z.string(),
    }),
  ),
  emptyDirectories: z.array(z.string()),
});
export type PortableTree = z.infer<typeof PortableTree>;

export function exportTree(store: ArtifactStore, id: string): PortableTree {
  const { entries, emptyDirectories } = store.tree(id);
  const files = [...entries.values()].map(({ path, kind, permissions, id: blob }) => {
    const bytes = store.readBlob(blob);
    const text = bytes.toString("utf8");
    const isText = Buffer.from(text, "utf8").equals(bytes);
    return isText
      ? { path, kind, permissions, encoding: "utf8" as const, content: text }
      : { path, kind, permissions, encoding: "base64" as const, content: bytes.toString("base64") };
  });
  return { files, emptyDirectories: [...emptyDirectories].sort() };
}

/** Stores the contents and returns their id. If it differs from the original id, something was changed. */
export function importTree(store: ArtifactStore, task: string, tree: PortableTree): string {
  return store.putTree(task, (put) => ({
    entries: new Map(
      tree.files.map(({ path, kind, permissions, encoding, content }) => [
        path,
        { path, kind, permissions, id: put(Buffer.from(content, encoding)) },
      ]),
    ),
    emptyDirectories: new Set(tree.emptyDirectories),
  }));
}

/** The id of these contents, without storing them. */
export function portableTreeId(tree: PortableTree): string {
  const directory = makeScratch("tree");
  const store = ArtifactStore.open(directory);
  try {
    return importTree(store, "check", tree);
  } finally {
    store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
