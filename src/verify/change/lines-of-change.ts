import { type LineRange, linesIn, toRanges } from "../../domain/evidence/line-range.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { ChangedFile } from "./change-parts.ts";
import { type ChangedLines, changedLines } from "./changed-lines.ts";
import { type ChangedMeaning, isRead } from "./changed-units.ts";

/** The lines of the sources that mean something else than before; of what cannot be read, all that differ. */
export function linesOfChange(
  artifacts: ArtifactStore,
  { base, result }: { base: string; result: string },
  files: readonly ChangedFile[],
  { changes, unreadable }: ChangedMeaning,
): ChangedLines {
  const sources = files.filter(({ part, after }) => part === "source" && after?.kind === "file");
  const differing = changedLines(artifacts, base, result);
  const found = sources.map((file): [string, LineRange[]] => {
    const { path } = file;
    if (!isRead(file) || unreadable.some((one) => one.path === path)) return [path, differing.get(path) ?? []];
    const own = changes.filter(
      (change) => change.path === path && change.relation !== "same" && change.relation !== "inert",
    );
    return [path, toRanges(own.flatMap(({ lines }) => linesIn(lines)))];
  });
  return new Map(found.filter(([, ranges]) => ranges.length > 0));
}
