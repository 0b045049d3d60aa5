import { grammarOf } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { Entry } from "../../workspace/tree.ts";

/** Null for what is not there, a link, or no text. */
export function textOf(artifacts: ArtifactStore, entry: Entry | null): string | null {
  if (entry?.kind !== "file") return null;
  const content = artifacts.readBlob(entry.id);
  return content.includes(0) ? null : content.toString("utf8");
}

/** The texts of the project's code, tests apart, read when somebody asks. */
export function sourcesOf(
  artifacts: ArtifactStore,
  tree: string,
  isTest: (path: string) => boolean,
): () => readonly string[] {
  let known: string[] | undefined;
  return () => {
    known ??= artifacts
      .list(tree)
      .filter(({ path, kind }) => kind === "file" && grammarOf(path) !== null && !isTest(path))
      .flatMap(({ id }) => artifacts.readBlob(id).toString("utf8"));
    return known;
  };
}
