import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { ChangedFile } from "./change-parts.ts";

const SAME_SHARE = 0.5;

/** Files of code that are gone. One whose lines stand in a new file was only given another name. */
export function deletedSources(artifacts: ArtifactStore, files: ChangedFile[]): string[] {
  const sources = files.filter(({ part }) => part === "source");
  const added = sources.flatMap(({ change, after }) => (change === "added" && after ? [after.id] : []));
  return sources
    .filter(({ change, before }) => {
      if (change !== "deleted" || !before || linesOf(artifacts, before.id).length === 0) return false;
      return !added.some((now) => isMostlyIn(artifacts, before.id, now));
    })
    .map(({ path }) => path);
}

/** Whether at least half of the lines of a text stand in another one. */
export function isMostlyIn(artifacts: ArtifactStore, id: string, other: string): boolean {
  const old = linesOf(artifacts, id);
  const now = new Set(linesOf(artifacts, other));
  return old.length > 0 && old.filter((line) => now.has(line)).length >= old.length * SAME_SHARE;
}

const linesOf = (artifacts: ArtifactStore, id: string): string[] =>
  artifacts
    .readBlob(id)
    .toString("utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
