import { hasLine, type LineRange, toRanges } from "../../domain/evidence/line-range.ts";
import type { CompiledUnit } from "../../languages/compiled-unit.ts";
import { changedRanges } from "./changed-lines.ts";
import { reordered } from "./reordered-units.ts";
import { countsWhenNew } from "./tool-comments.ts";
import type { Pair, UnitSide } from "./unit-side.ts";

/** What became of one unit of a changed file. A difference of the text that is in no unit is a comment or layout. */
export interface UnitChange {
  /** In the result; of what is gone, in the base. */
  path: string;
  /** In the base; null when the file is new. */
  oldPath: string | null;
  name: string;
  kind: CompiledUnit["kind"];
  /**
   * - same: another text or another file, and the interpreter makes the same of it;
   * - inert: only documentation or types differ, or nothing of it is compiled;
   * - reordered: the same, but reached before or after something that it has to do with, otherwise than before.
   */
  relation: "same" | "inert" | "changed" | "added" | "removed" | "reordered";
  before: LineRange | null;
  after: LineRange | null;
  /** Of the result: those of its lines that differ; all of it where none does. */
  lines: LineRange[];
  /** Of the base, likewise. */
  oldLines: LineRange[];
  /** Of an import or a statement: where the result says the names that it brings, and where the base did. */
  uses: LineRange[];
  oldUses: LineRange[];
  /** The names that it gives to other code. */
  binds: readonly string[];
  /** Something of somebody else's runs when it is reached, before the change or after it. */
  acts: boolean;
  /** An import from what comes with the language. */
  standard?: boolean;
  /** An import that is known to do something besides. */
  loads?: boolean;
  /** It has another place among the members of its class, and somebody may go through these. */
  displaced?: boolean;
  /** A field of a class that somebody makes something of: it is more than its value. */
  field?: boolean;
  /** It asks whether Python was started with -O, and did not before. */
  debug?: boolean;
  /** A comment that a tool reads. */
  forTools?: boolean;
  /** Its place in the text of the result, as `slice` takes it: units may share lines. */
  span: { start: number; end: number } | null;
}

/**
 * Everything that differs between two versions of a file; all of it when the file is new, gone or has another name.
 * `listed`: code of the project goes through the names of classes.
 */
export function compareUnits(old: UnitSide | null, now: UnitSide | null, listed = false): UnitChange[] {
  const pairs = pairUnits(old?.units ?? [], old ? (now?.units ?? []) : (now?.units ?? []).filter(countsWhenNew));
  const moved = reordered(pairs, old, now, listed);
  const isMoved = old?.path !== now?.path;
  const added = changedRanges(old?.text ?? "", now?.text ?? "");
  const removed = changedRanges(now?.text ?? "", old?.text ?? "");
  return pairs.flatMap((pair): UnitChange[] => {
    const relation = relationOf(pair, moved.has(pair));
    const unit = pair.now ?? pair.old;
    const isUntouched = said(old, pair.old) === said(now, pair.now);
    if (!unit || (relation === "same" && isUntouched && !isMoved)) return [];
    return [
      {
        path: (pair.now ? now?.path : old?.path) ?? "",
        oldPath: old?.path ?? null,
        name: unit.name,
        kind: unit.kind,
        relation,
        before: pair.old && rangeOf(pair.old),
        after: pair.now && rangeOf(pair.now),
        lines: pair.now ? differing(pair.now, added) : [],
        oldLines: pair.old ? differing(pair.old, removed) : [],
        uses: usesOf(now, pair.now),
        oldUses: usesOf(old, pair.old),
        binds: unit.binds,
        ...(unit.standard && { standard: true }),
        ...(unit.loads && { loads: true }),
        ...(relation === "reordered" && moved.get(pair) && { displaced: true }),
        ...((pair.now?.field || pair.old?.field) && { field: true }),
        ...(unit.forTools && { forTools: true }),
        ...(asksMore(pair.old, pair.now) && { debug: true }),
        acts: (pair.now?.acts ?? false) || (pair.old?.acts ?? false),
        span: pair.now && { start: pair.now.start, end: pair.now.end },
      },
    ];
  });
}

function relationOf({ old, now }: Pair, isReordered: boolean): UnitChange["relation"] {
  if (!old || !now) {
    if ((old ?? now)?.plain === "") return "inert";
    return old ? "removed" : "added";
  }
  if (old.plain !== now.plain || asksMore(old, now)) return "changed";
  if (isReordered) return "reordered";
  return old.code === now.code ? "same" : "inert";
}

const asksMore = (old: CompiledUnit | null, now: CompiledUnit | null): boolean => now?.debug === true && !old?.debug;

/** Each unit with what it was: by its name, the same ones first, then by what stands before both. */
function pairUnits(old: readonly CompiledUnit[], now: readonly CompiledUnit[]): Pair[] {
  const was = new Map<CompiledUnit, CompiledUnit>();
  const left = new Set(old);
  const match = (isLike: (one: CompiledUnit, other: CompiledUnit) => boolean) => {
    for (const unit of now) {
      if (was.has(unit)) continue;
      const found = [...left].find((one) => isOfKind(one, unit) && isLike(one, unit));
      if (!found) continue;
      left.delete(found);
      was.set(unit, found);
    }
  };
  match((one, other) => one.name === other.name && one.code === other.code);
  match((one, other) => one.name === other.name && one.plain === other.plain);
  match((one, other) => one.name === other.name);
  const is = new Map([...was].map(([unit, before]) => [before, unit]));
  const above = before(old, (unit) => is.get(unit) ?? null);
  const aboveNow = before(now, (unit) => (was.has(unit) ? unit : null));
  match((one, other) => one.kind === "statement" && above.get(one) === aboveNow.get(other));
  const pairs = now.map((unit): Pair => ({ old: was.get(unit) ?? null, now: unit }));
  return [...pairs, ...[...left].map((unit) => ({ old: unit, now: null }))];
}

const isOfKind = (one: CompiledUnit, other: CompiledUnit): boolean =>
  one.kind === other.kind && one.forTools === other.forTools;

/** For each unit the nearest one above it that has a partner. */
function before(
  units: readonly CompiledUnit[],
  partner: (unit: CompiledUnit) => CompiledUnit | null,
): Map<CompiledUnit, CompiledUnit | null> {
  const found = new Map<CompiledUnit, CompiledUnit | null>();
  let last: CompiledUnit | null = null;
  for (const unit of units) {
    found.set(unit, last);
    last = partner(unit) ?? last;
  }
  return found;
}

/** What an import brings, or a statement gives a name to, shows in the lines that say the name. */
function usesOf(side: UnitSide | null, unit: CompiledUnit | null): LineRange[] {
  if (!side || !unit || !/^(import|statement)$/.test(unit.kind)) return [];
  // A field is said through its object.
  const bound = unit.kind === "import" ? unit.binds : unit.binds.filter((name) => /^[\w$]+$/.test(name));
  if (bound.length === 0) return [];
  const names = bound.map((name) => RegExp.escape(name.split(".").at(-1) ?? name));
  const says = new RegExp(`(?<![\\w$.])(${names.join("|")})(?![\\w$])`);
  const lines = side.text.split("\n").flatMap((line, index) => (says.test(line) ? index + 1 : []));
  const own = side.units.filter((one) => one.kind === "import" || one === unit);
  return toRanges(lines.filter((line) => !hasLine(own, line)));
}

const said = (side: UnitSide | null, unit: CompiledUnit | null): string | null =>
  side && unit ? side.text.slice(unit.start, unit.end).replaceAll("\r\n", "\n") : null;

const rangeOf = ({ from, to }: CompiledUnit): LineRange => ({ from, to });

/** Where lines were only taken away at its end, its last line stands for them. */
function differing({ from, to }: CompiledUnit, ranges: readonly LineRange[]): LineRange[] {
  const own = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const lines = own.filter((line) => hasLine(ranges, line));
  return lines.length > 0 ? toRanges(lines) : [{ from, to }];
}
