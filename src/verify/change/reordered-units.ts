import type { CompiledUnit } from "../../languages/compiled-unit.ts";
import { longestCommonLines } from "./common-lines.ts";
import type { Pair, UnitSide } from "./unit-side.ts";

/**
 * Pairs that passed another one with which they have to do, and what acts and was passed by something it may reach.
 * `listed`: code of the project goes through the names of classes, whichever these are. True for those that have another
 * place among the members of a class: to call them does not show it.
 */
export function reordered(
  pairs: readonly Pair[],
  old: UnitSide | null,
  now: UnitSide | null,
  listed = false,
): Map<Pair, boolean> {
  if (!old || !now) return new Map();
  const both = pairs.flatMap((pair) =>
    pair.old && pair.now ? [{ pair, before: old.units.indexOf(pair.old), after: now.units.indexOf(pair.now) }] : [],
  );
  const ids = both.map((_, index) => `${index}`);
  const inOldOrder = ids.toSorted((a, b) => (both[Number(a)]?.before ?? 0) - (both[Number(b)]?.before ?? 0));
  const stayed = new Set(longestCommonLines(inOldOrder, ids).map((match) => match.now));
  const reach = { old: reachIn(old), now: reachIn(now) };
  const found = new Map(renumbered(pairs).map((pair) => [pair, true]));
  const add = (pair: Pair) => found.set(pair, found.get(pair) ?? false);
  for (const [index, one] of both.entries()) {
    if (stayed.has(index)) continue;
    for (const other of both) {
      const isFlipped = one.before < other.before !== one.after < other.after;
      if (other === one || !isFlipped) continue;
      if (areInOrder(one.pair, other.pair, listed)) found.set(one.pair, true);
      if (touch(one.pair, other.pair)) add(one.pair);
      // What is met differently is what acts: whether it stayed or moved.
      if (meets(one.pair, other.pair, reach)) add(one.pair);
      if (meets(other.pair, one.pair, reach)) add(other.pair);
    }
  }
  return found;
}

const classOf = ({ old, now }: Pair): string => (now ?? old)?.name.replace(/\.?[^.]*$/, "") ?? "";

/** Two members of a class, and somebody goes through its names in the order of the text. */
function areInOrder(one: Pair, other: Pair, listed: boolean): boolean {
  if (classOf(one) === "" || classOf(one) !== classOf(other)) return false;
  const isOrdered = ({ old, now }: Pair) =>
    old?.ordered || now?.ordered || (listed && ["function", "statement"].includes(now?.kind ?? ""));
  return Boolean(isOrdered(one) && isOrdered(other));
}

/** Members that are known by their number, and have another one: what stands before them is new, or went. */
function renumbered(pairs: readonly Pair[]): Pair[] {
  const counted = pairs.filter(({ old, now }) => old?.counted || now?.counted);
  return counted.filter((pair) => {
    const { old, now } = pair;
    const before = (one: Pair) =>
      one.now && now && !one.old ? one.now.start < now.start : one.old && old && !one.now && one.old.start < old.start;
    return old && now && counted.some((one) => classOf(one) === classOf(pair) && before(one));
  });
}

const touch = (one: Pair, other: Pair): boolean =>
  [one.old, one.now].some((a) => [other.old, other.now].some((b) => a && b && concern(a, b)));

/** Whether it counts which of the two comes first. Imports of different names are taken to leave each other alone. */
function concern(a: CompiledUnit, b: CompiledUnit): boolean {
  const isImports = a.kind === "import" && b.kind === "import";
  const asks = (one: CompiledUnit, other: CompiledUnit) =>
    one.binds.some((name) => other.binds.includes(name) || other.reads.includes(name));
  return (a.acts && b.acts && !isImports) || asks(a, b) || asks(b, a);
}

type Reach = (actor: CompiledUnit, bound: CompiledUnit) => boolean;

const meets = (actor: Pair, bound: Pair, reach: { old: Reach; now: Reach }): boolean =>
  (actor.old !== null && bound.old !== null && reach.old(actor.old, bound.old)) ||
  (actor.now !== null && bound.now !== null && reach.now(actor.now, bound.now));

/**
 * Whether what acts may ask for a name that the other one binds: it says it, or something does that it says. A name that
 * is bound twice may be asked for by whatever is called, as nobody knows all of that.
 */
function reachIn({ path, text, units }: UnitSide): Reach {
  const words = (unit: CompiledUnit): string[] => [...(text.slice(unit.start, unit.end).match(/[\w$]+/g) ?? [])];
  const bound = Map.groupBy(
    units.filter(({ kind }) => kind !== "docs").flatMap((unit) => unit.binds.map((name) => ({ name, unit }))),
    ({ name }) => name,
  );
  // Wherever they stand, they are there before anything runs.
  const isHoisted = (unit: CompiledUnit) =>
    path.endsWith(".go") ||
    /^(?:export\s+(?:default\s+)?)?(?:async\s+)?function\b/.test(text.slice(unit.start, unit.end));
  const said = new Map<CompiledUnit, Set<string>>();
  const saidBy = (actor: CompiledUnit): Set<string> => {
    const known = said.get(actor);
    if (known) return known;
    const found = new Set<string>();
    const open = words(actor);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      const name = next;
      for (const unit of units)
        if (unit.name === name || unit.name.startsWith(`${name}.`) || unit.binds.includes(name))
          open.push(...words(unit));
    }
    said.set(actor, found);
    return found;
  };
  return (actor, one) => {
    if (!actor.acts || actor.kind === "import" || one.kind === "docs" || isHoisted(one)) return false;
    return one.binds.some(
      (name) => (bound.get(name)?.length ?? 0) > 1 || saidBy(actor).has(name.split(".").at(-1) ?? name),
    );
  };
}
