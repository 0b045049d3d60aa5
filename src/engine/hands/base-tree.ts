import { posix } from "node:path";
import type { BaseTree } from "../../languages/stub.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";

const LARGEST_TEXT = 200_000;
const MOST_TEXT = 4_000_000;

/** Gives the verifier a view of a tree. */
export function baseTree(artifacts: ArtifactStore, tree: string): BaseTree & { texts(): string[] } {
  const paths = new Set(artifacts.list(tree).map((entry) => entry.path));
  const directories = new Set([...paths].flatMap((path) => parents(path)));
  const read = (path: string): string | null => {
    const content = paths.has(path) ? artifacts.readFile(tree, path) : null;
    return content === null || content.includes(0) || content.length > LARGEST_TEXT ? null : content.toString("utf8");
  };
  return {
    has: (path) => paths.has(path),
    hasDirectory: (path) => directories.has(path),
    read,
    list: (directory) => [...paths].filter((path) => posix.dirname(path) === (directory === "" ? "." : directory)),
    /** All paths and texts of the project, up to a limit. Paths count because they contain names, too. */
    texts() {
      const texts = [...paths];
      let left = MOST_TEXT;
      for (const path of paths) {
        const text = left > 0 ? read(path) : null;
        if (text === null) continue;
        left -= text.length;
        texts.push(text);
      }
      return texts;
    },
  };
}

function parents(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
