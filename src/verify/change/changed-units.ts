import { basename } from "node:path/posix";
import { hasLine, type LineRange, toRanges } from "../../domain/evidence/line-range.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { ChangedFile } from "./change-parts.ts";
import { type ChangedLines, changedRanges } from "./changed-lines.ts";
import { type CodeUnit, codeUnits } from "./code-units.ts";
import { isMostlyIn } from "./deleted-sources.ts";
import { isTestPath } from "./is-test-path.ts";

/** A part of the code before the change that means something else now, or is gone. */
export interface ChangedUnit {
  path: string;
  name: string;
  kind: CodeUnit["kind"];
  /** Of the base: what was changed or taken away. */
  lines: LineRange[];
  /** Of the base: all of it, or what speaks of it; asked when the lines themselves have nothing to mutate. */
  whole: LineRange[];
  /** Where it stands now; null when it is gone. */
  now: { path: string; lines: LineRange } | null;
}

export interface ChangedMeaning {
  units: ChangedUnit[];
  /** How many parts the change brings, or parts of which nobody can tell. */
  added: number;
  /** Lines of the result that were moved within their file, or say the same in other words. */
  kept: ChangedLines;
}

/** What of the changed sources means something else than before, function by function. */
export async function changedMeaning(
  artifacts: ArtifactStore,
  parsers: SyntaxParsers,
  files: readonly ChangedFile[],
): Promise<ChangedMeaning> {
  const sources = files.filter(({ part, path }) => part === "source" && !path.endsWith(".pyi") && !isTestPath(path));
  const unreadable = sources.filter(({ path }) => grammarOf(path) === null).length;
  const found: ChangedMeaning = { units: [], added: unreadable, kept: new Map() };
  for (const { path, old, now } of pairs(artifacts, sources)) {
    const texts = [old, now].map((entry) => (entry ? artifacts.readBlob(entry.id).toString("utf8") : ""));
    const [before = "", after = ""] = texts;
    const units = await Promise.all([unitsIn(parsers, old?.path ?? path, before), unitsIn(parsers, path, after)]);
    if (units[0] === null || units[1] === null) found.added += 1;
    else compare({ path, oldPath: old?.path ?? path, before, after, old: units[0], now: units[1] }, found);
  }
  return found;
}

/** Each source with what it was; one that is gone and was not given another name stands alone. */
function pairs(artifacts: ArtifactStore, files: readonly ChangedFile[]) {
  const sources = files.filter(({ path }) => grammarOf(path) !== null);
  const gone = new Set(sources.flatMap(({ before, after }) => (before?.kind === "file" && !after ? [before] : [])));
  const paired = sources.flatMap(({ path, before, after }) => {
    if (after?.kind !== "file") return [];
    const moved = () =>
      [...gone].find(({ id }) => id === after.id) ??
      [...gone].find((one) => basename(one.path) === basename(path)) ??
      [...gone].find((one) => isMostlyIn(artifacts, one.id, after.id));
    const old = before?.kind === "file" ? before : moved();
    if (old) gone.delete(old);
    return [{ path, old, now: after }];
  });
  return [...paired, ...[...gone].map((old) => ({ path: old.path, old, now: undefined }))];
}

/** Null when it cannot be read. */
async function unitsIn(parsers: SyntaxParsers, path: string, text: string): Promise<CodeUnit[] | null> {
  const grammar = grammarOf(path);
  if (grammar === null || text === "") return [];
  const { root, broken } = await parsers.parse(grammar, text);
  return broken ? null : codeUnits(grammar, root, text);
}

interface Sides {
  path: string;
  oldPath: string;
  before: string;
  after: string;
  old: CodeUnit[];
  now: CodeUnit[];
}

function compare({ path, oldPath, before, after, old, now }: Sides, found: ChangedMeaning): void {
  const left = new Set(now);
  const changed: CodeUnit[] = [];
  for (const unit of old) {
    const same = [...left].find(({ name, meaning }) => name === unit.name && meaning === unit.meaning);
    if (same) left.delete(same);
    else changed.push(unit);
  }
  const added = [...left];
  const kept = now.filter((unit) => !left.has(unit));
  found.kept.set(path, kept);
  const keptOld = old.filter((unit) => !changed.includes(unit));
  const inOrder = (units: CodeUnit[]) => units.filter((unit) => countsByOrder(unit, units));
  const order = (units: CodeUnit[]) => inOrder(units).map(({ meaning }) => meaning);
  if (order(keptOld).join("\n") !== order(kept).join("\n")) changed.push(...inOrder(keptOld));
  found.added += added.filter((unit) => unit.kind !== "import").length;
  const removed = changedRanges(after, before);
  for (const unit of changed) {
    const one = unit.kind === "import" ? exchanged(unit, added, before) : changedUnit(unit, removed, added, path);
    if (one) found.units.push({ ...one, path: oldPath });
  }
}

/** Statements of a module run one after the other, and of two functions with one name the last one counts. */
const countsByOrder = (unit: CodeUnit, all: CodeUnit[]): boolean =>
  unit.kind === "statement" || all.some((other) => other !== unit && other.name === unit.name);

function changedUnit(unit: CodeUnit, removed: LineRange[], added: CodeUnit[], path: string): Omit<ChangedUnit, "path"> {
  const whole = [{ from: unit.from, to: unit.to }];
  const lines = linesOf(removed).filter((line) => hasLine(whole, line));
  const same = added.find(({ name, kind }) => name === unit.name && kind === unit.kind);
  const now = same ? { path, lines: { from: same.from, to: same.to } } : null;
  return { name: unit.name, kind: unit.kind, lines: lines.length > 0 ? toRanges(lines) : whole, whole, now };
}

/** An import that nobody misses is no loss; one that gives a name to something else concerns every line that says it. */
function exchanged(unit: CodeUnit, added: CodeUnit[], text: string): Omit<ChangedUnit, "path"> | null {
  const own = boundNames(unit.name);
  const others = new Set(added.filter(({ kind }) => kind === "import").flatMap(({ name }) => boundNames(name)));
  const names = own.filter((name) => others.has(name));
  if (names.length === 0) return null;
  const says = new RegExp(`(?<![\\w$])(${names.map((name) => name.replaceAll("$", "\\$")).join("|")})(?![\\w$])`);
  const lines = text
    .split("\n")
    .flatMap((line, index) => (says.test(line) && !hasLine([unit], index + 1) ? index + 1 : []));
  if (lines.length === 0) return null;
  return {
    name: unit.name.split("\n")[0] ?? "",
    kind: unit.kind,
    lines: toRanges(lines),
    whole: toRanges(lines),
    now: null,
  };
}

/** The names after `import` or in front of `from`, each as the file calls it. */
function boundNames(statement: string): string[] {
  const isPython = /^from\s/.test(statement);
  const list = isPython
    ? statement.replace(/^from\s+\S+\s+import/, "")
    : statement.replace(/^import|from\s*["'].*$/gs, "");
  return list
    .replace(/[(){}*]|\btype\b/g, " ")
    .split(",")
    .flatMap((one) => /([\w$]+)\s*(?:#.*)?$/.exec(one.trim().split("\n").at(-1) ?? "")?.[1] ?? []);
}

const linesOf = (ranges: readonly LineRange[]): number[] =>
  ranges.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index));
