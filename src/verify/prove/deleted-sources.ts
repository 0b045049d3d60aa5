import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { ChangedFile } from "./change-parts.ts";

const SAME_SHARE = 0.5;

/** Files of code that are gone. One whose lines stand in a new file was only given another name. */
export function deletedSources(artifacts: ArtifactStore, files: ChangedFile[]): string[] {
  const sources = files.filter(({ part }) => part === "source");
  const lines = (id: string) =>
    artifacts
      .readBlob(id)
      .toString("utf8")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  const added = sources.flatMap(({ change, after }) => (change === "added" && after ? [new Set(lines(after.id))] : []));
  return sources
    .filter(({ change, before }) => {
      if (change !== "deleted" || !before) return false;
      const old = lines(before.id);
      return (
        old.length > 0 && !added.some((now) => old.filter((line) => now.has(line)).length >= old.length * SAME_SHARE)
      );
    })
    .map(({ path }) => path);
}
