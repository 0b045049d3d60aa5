import { basename } from "node:path/posix";
import { type LineRange, toRanges } from "../../domain/evidence/line-range.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { ChangedFile } from "./change-parts.ts";
import { changedRanges } from "./changed-lines.ts";
import { type CodeUnit, codeUnits } from "./code-units.ts";
import { isMostlyIn } from "./deleted-sources.ts";

/** A part of the code that differs, as the interpreter sees it. */
export interface UnitChange {
  path: string;
  oldPath: string;
  name: string;
  kind: "function" | "class" | "statement" | "import";
  relation: "same" | "inert" | "changed" | "added" | "removed" | "reordered";
  /** All of it; null when it is gone, or new. */
  after: LineRange | null;
  before: LineRange | null;
  /** Its changed lines in the result; empty for what is gone. */
  lines: LineRange[];
  /** Its lines in the base; empty for what is new. */
  oldLines: LineRange[];
}

export interface UnitChanges {
  units: UnitChange[];
  unreadable: { path: string; why: string }[];
}

export async function unitChanges(
  artifacts: ArtifactStore,
  parsers: SyntaxParsers,
  files: readonly ChangedFile[],
): Promise<UnitChanges> {
  const found: UnitChanges = { units: [], unreadable: [] };
  const sources = files.filter(({ part, path }) => part === "source" && grammarOf(path) !== null);
  const gone = new Set(sources.flatMap(({ before, after }) => (before?.kind === "file" && !after ? [before] : [])));
  for (const { path, before, after } of sources) {
    if (after?.kind !== "file") continue;
    const moved = () =>
      [...gone].find((one) => basename(one.path) === basename(path)) ??
      [...gone].find((one) => isMostlyIn(artifacts, one.id, after.id));
    const old = before?.kind === "file" ? before : moved();
    if (old) gone.delete(old);
    await compareFile(artifacts, parsers, { path, oldPath: old?.path ?? path, old: old?.id, now: after.id }, found);
  }
  for (const { path, id } of gone) await compareFile(artifacts, parsers, { path, oldPath: path, old: id }, found);
  return found;
}

async function compareFile(
  artifacts: ArtifactStore,
  parsers: SyntaxParsers,
  { path, oldPath, old, now }: { path: string; oldPath: string; old?: string | undefined; now?: string | undefined },
  found: UnitChanges,
): Promise<void> {
  const text = (id: string | undefined) => (id === undefined ? "" : artifacts.readBlob(id).toString("utf8"));
  const [before, after] = [text(old), text(now)];
  const units = [await unitsIn(parsers, oldPath, before), await unitsIn(parsers, path, after)];
  const [was, is] = units;
  if (!was || !is) {
    found.unreadable.push({ path, why: "it cannot be read" });
    return;
  }
  const changed = changedRanges(before, after);
  const removed = changedRanges(after, before);
  const left = new Set(is);
  for (const unit of was) {
    const same = [...left].find((one) => one.name === unit.name && one.meaning === unit.meaning);
    const other = same ?? [...left].find((one) => one.name === unit.name && one.kind === unit.kind);
    if (other) left.delete(other);
    const lines = other ? within(changed, other) : [];
    const oldLines = within(removed, unit);
    if (same && lines.length === 0 && oldLines.length === 0) continue;
    found.units.push({
      path: other ? path : oldPath,
      oldPath,
      name: unit.name.split("\n")[0] ?? "",
      kind: unit.kind,
      relation: same ? "same" : other ? "changed" : "removed",
      after: other ? { from: other.from, to: other.to } : null,
      before: { from: unit.from, to: unit.to },
      lines: other && lines.length === 0 ? [{ from: other.from, to: other.to }] : lines,
      oldLines: oldLines.length > 0 ? oldLines : [{ from: unit.from, to: unit.to }],
    });
  }
  for (const unit of left) {
    const after = { from: unit.from, to: unit.to };
    found.units.push({
      path,
      oldPath,
      name: unit.name.split("\n")[0] ?? "",
      kind: unit.kind,
      relation: "added",
      after,
      before: null,
      lines: [after],
      oldLines: [],
    });
  }
}

const within = (ranges: LineRange[], { from, to }: CodeUnit): LineRange[] =>
  toRanges(
    ranges.flatMap((range) =>
      Array.from({ length: range.to - range.from + 1 }, (_, index) => range.from + index).filter(
        (line) => from <= line && line <= to,
      ),
    ),
  );

async function unitsIn(parsers: SyntaxParsers, path: string, text: string): Promise<CodeUnit[] | null> {
  const grammar = grammarOf(path);
  if (grammar === null || text === "") return [];
  const { root, broken } = await parsers.parse(grammar, text);
  return broken ? null : codeUnits(grammar, root, text);
}
