import type { ArtifactStore } from "../../workspace/artifact-store.ts";

const SAME_SHARE = 0.5;

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
