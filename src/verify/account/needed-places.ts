import { type AccountLine, placeOf } from "../../domain/evidence/account.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { saysWord } from "./says-word.ts";

/**
 * Marks new parts of the code that belong to shown parts of the change: these name them, or are of the same class or
 * script. They are like the lines of a shown function that no test runs: part of what was asked for, and nobody
 * knows whether they are right. What nothing needs was not asked for.
 */
export function markNeeded(
  account: readonly AccountLine[],
  units: readonly UnitChange[],
  textOf: (unit: UnitChange) => string,
  onlyThrew: (unit: UnitChange) => boolean,
): AccountLine[] {
  const lines = Map.groupBy(account, placeOf);
  const isShown = (unit: UnitChange) => lines.get(placeOfUnit(unit))?.some(({ standing }) => standing === "shown");
  const needed = new Set(units.filter(isShown));
  const isNew = (unit: UnitChange) => unit.relation === "added" || onlyThrew(unit);
  const rest = new Set(units.filter((unit) => isNew(unit) && !isShown(unit)));
  for (let size = -1; size !== rest.size; ) {
    size = rest.size;
    const known = [...needed];
    for (const unit of rest) {
      if (!known.some((one) => needs(one, textOf(one), unit, textOf(unit)))) continue;
      rest.delete(unit);
      needed.add(unit);
    }
  }
  const places = new Map([...needed].map((unit) => [placeOfUnit(unit), NEEDED]));
  for (const unit of units) if (unit.relation === "removed" && onlyThrew(unit)) places.set(placeOfUnit(unit), EMPTY);
  return account.map((line) => {
    const explained = places.get(placeOf(line));
    return line.standing === "not-judged" && explained ? { ...line, explained } : line;
  });
}

const NEEDED = "shown code of the change needs it";
const EMPTY = "before, it could only throw";

const placeOfUnit = ({ path, name }: UnitChange): string => placeOf({ path, unit: name });

function needs(one: UnitChange, text: string, other: UnitChange, otherText: string): boolean {
  const isBeside = one.path === other.path;
  if (isBeside && classOf(one) !== null && classOf(one) === classOf(other)) return true;
  if (boundBy(other).some((name) => saysWord(text, name))) return true;
  // What a file of Go is part of: nothing in it could be compiled without.
  if (isBeside && /^\s*package\s+\w+\s*$/.test(otherText)) return true;
  if (!isBeside || other.kind !== "statement" || other.oldPath !== null) return false;
  // The statements of a new file are one script, and what starts or exports its shown code belongs to that.
  return one.kind === "statement" || boundBy(one).some((name) => saysWord(otherText, name));
}

/** `Sum` of the class itself, of its method `Sum.add` and of its field `Sum.#total`. */
function classOf({ kind, name }: UnitChange): string | null {
  if (kind === "class") return name;
  return kind !== "import" && /^[\w$.]+\.#?[\w$]+$/.test(name) ? name.slice(0, name.lastIndexOf(".")) : null;
}

/** The names by which other code speaks of it. Go compiles no import that nothing uses. */
function boundBy({ kind, name, binds }: UnitChange): string[] {
  // Who names a class makes one of it.
  if (/\.(constructor|__init__)$/.test(name)) return [name.split(".").at(-2) ?? name];
  const names = kind === "statement" || kind === "import" ? binds : [name];
  return names.flatMap((one) => one.split(".").at(-1) ?? []).filter((one) => /^[\w$]+$/.test(one));
}
