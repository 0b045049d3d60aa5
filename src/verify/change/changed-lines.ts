import { basename } from "node:path/posix";
import { type LineRange, toRanges } from "../../domain/evidence/line-range.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { Entry } from "../../workspace/tree.ts";
import { longestCommonLines } from "./common-lines.ts";

/** For each text file of the later tree that was added or modified: which of its lines are new. */
export type ChangedLines = Map<string, LineRange[]>;

/**
 * Links, binary files and files of which only the mode changed have no changed lines; deleted files are not there. A file
 * that was moved is compared with what it was: the one that is gone and has its content, or else its name.
 */
export function changedLines(artifacts: ArtifactStore, from: string, to: string): ChangedLines {
  const changes = artifacts.changes(from, to);
  const gone = changes.flatMap(({ before, after }) => (before?.kind === "file" && after === null ? [before] : []));
  const changed: ChangedLines = new Map();
  for (const { path, before, after } of changes) {
    if (after?.kind !== "file" || before?.id === after.id) continue;
    const now = artifacts.readBlob(after.id);
    if (now.includes(0)) continue;
    const earlier = before?.kind === "file" ? before : movedFrom(gone, path, after.id);
    const old = earlier ? artifacts.readBlob(earlier.id).toString("utf8") : "";
    const ranges = changedRanges(old, now.toString("utf8"));
    if (ranges.length > 0) changed.set(path, ranges);
  }
  return changed;
}

function movedFrom(gone: readonly Entry[], path: string, id: string): Entry | undefined {
  const same = gone.find((entry) => entry.id === id);
  return same ?? gone.find((entry) => basename(entry.path) === basename(path));
}

/**
 * The lines of `after` that `before` does not have at that place. Where lines were only taken away, the next line that
 * is left stands for them (the last one at the end of the file): there the change can be seen. How lines end is no change.
 */
export function changedRanges(before: string, after: string): LineRange[] {
  const old = linesOf(before);
  const now = linesOf(after);
  const kept = longestCommonLines(old, now);
  const lines: number[] = [];
  let next = { old: 0, now: 0 };
  for (const match of [...kept, { old: old.length, now: now.length }]) {
    for (let line = next.now; line < match.now; line += 1) lines.push(line + 1);
    const removedOnly = match.now === next.now && match.old > next.old;
    if (removedOnly && old.slice(next.old, match.old).some((line) => line.trim() !== "")) {
      lines.push(seam(now, match.now));
    }
    next = { old: match.old + 1, now: match.now + 1 };
  }
  return toRanges(lines.filter((line) => line >= 1 && line <= now.length));
}

function seam(lines: string[], from: number): number {
  const below = lines.findIndex((line, index) => index >= from && line.trim() !== "");
  return below === -1 ? lines.findLastIndex((line) => line.trim() !== "") + 1 : below + 1;
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
