import { hasLine, type LineRange, toRanges } from "../../domain/evidence/line-range.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { ChangedFile } from "./change-parts.ts";
import { type ChangedLines, changedLines } from "./changed-lines.ts";
import type { ChangedMeaning } from "./changed-units.ts";

/** The lines of the sources that are new, without those of functions that only moved within their file. */
export function linesOfChange(
  artifacts: ArtifactStore,
  { base, result }: { base: string; result: string },
  files: readonly ChangedFile[],
  { kept }: ChangedMeaning,
): ChangedLines {
  const sources = new Set(
    files.filter(({ part, after }) => part === "source" && after?.kind === "file").map(({ path }) => path),
  );
  const left = [...changedLines(artifacts, base, result)].map(([path, ranges]): [string, LineRange[]] => {
    const lines = ranges.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index));
    return [path, toRanges(lines.filter((line) => !hasLine(kept.get(path) ?? [], line)))];
  });
  return new Map(left.filter(([path, ranges]) => sources.has(path) && ranges.length > 0));
}
