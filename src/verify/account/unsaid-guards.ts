import { type AccountLine, placeOf } from "../../domain/evidence/account.ts";
import type { LineRange } from "../../domain/evidence/line-range.ts";
import type { MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { UnitChange } from "../change/compare-units.ts";
import type { MetCode } from "./account-change.ts";
import { saysWord } from "./says-word.ts";

interface GuardedCode {
  units: readonly UnitChange[];
  met: Pick<MetCode, "mutants" | "coverage">;
  /** The text of a file of the result. */
  read: (path: string) => string;
  /** Everything that was said: the goal, its requirements and the tests. */
  said: string;
}

/**
 * A condition that no test needs, and that waits for a value which nobody named, is a back door until somebody says what
 * it is for: its part of the change is not judged, though tests notice the rest of it. A guard that waits for nothing
 * in particular (an empty list, a zero) is only cautious.
 */
export function markUnsaid(account: readonly AccountLine[], code: GuardedCode): AccountLine[] {
  const guards = new Map(code.units.flatMap((unit) => guardOf(unit, code)));
  return account.map((line) => {
    const guard = guards.get(placeOf(line));
    if (line.standing !== "shown" || !guard) return line;
    return { ...line, standing: "not-judged", why: guard };
  });
}

function guardOf(unit: UnitChange, code: GuardedCode): [string, string][] {
  if (!unit.span || !unit.after) return [];
  const text = code.read(unit.path);
  const guards = [
    ...unneeded(unit, text, code.met.mutants),
    ...untaken(unit, text, code.met),
    ...named(unit, text, code),
  ];
  const place = placeOf({ path: unit.path, unit: unit.name });
  const outside = guards.find((guard) => asksSurroundings(guard, text.slice(unit.span?.start, unit.span?.end)));
  if (outside !== undefined)
    return [[place, `no test needs ${shown(outside)}, which asks for nothing that the code is given`]];
  for (const guard of guards) {
    const value = valuesIn(guard, code).find((one) => !isSaid(one, code.said));
    if (value === undefined) continue;
    const why = `no test needs ${shown(guard)}, and nobody named the value that it waits for: ${shown(value)}`;
    return [[place, why]];
  }
  return [];
}

/** A condition that asks an object for something, and no object that the code was given or made: where it runs decides. */
function asksSurroundings(guard: string, own: string): boolean {
  const said = guard.replace(/"[^"]*"|'[^']*'/g, "");
  const asked = [...said.matchAll(/(?<![\w$.)\]])([A-Za-z_$][\w$]*)\s*\./g)].flatMap(([, name]) => name ?? []);
  const head = own.split("\n")[0] ?? "";
  const isGiven = (name: string) => {
    const word = RegExp.escape(name);
    const isBound = new RegExp(
      `\\b(?:for|as|const|let|var|catch\\s*\\()\\s+${word}\\b|\\b${word}\\s*(?::?=(?!=)|=>|,)`,
    );
    return /^(self|this|cls)$/.test(name) || saysWord(head, name) || isBound.test(own);
  };
  const names = said.match(/(?<![\w$.])[A-Za-z_$][\w$]*/g) ?? [];
  return asked.length > 0 && !names.some(isGiven);
}

/** Sides of conditions without which every test passes as before, and values in conditions that might be others. */
const unneeded = ({ path, span }: UnitChange, text: string, mutants: readonly MutantResult[]): string[] =>
  mutants.flatMap(({ mutant, fate }) => {
    const { from, to, operator, replacement } = mutant;
    const isOwn = mutant.path === path && span !== null && span.start <= from && to <= span.end;
    if (!isOwn || fate !== "survived") return [];
    const part = text.slice(from, to);
    // A block does something where the condition before it holds: what it says there is nothing that it waits for.
    if (operator === "condition") return BLOCK.test(part) ? [] : part.replace(replacement, "").trim() || [];
    if (operator !== "constant") return [];
    const { before, value } = valueAt(text, from, to);
    return DECIDES.test(before) || AMONG.test(before) ? value : [];
  });

/** Lines that compare with a name that is there for nothing else, and whose value might be any other. */
function named({ span }: UnitChange, text: string, { units, met }: GuardedCode): string[] {
  const own = text.slice(span?.start, span?.end).split("\n");
  return units.flatMap((unit) => {
    const results = met.mutants.filter(({ mutant }) => mutant.path === unit.path && isIn(unit, mutant));
    const isNeeded = results.length === 0 || results.some(({ fate }) => fate !== "survived");
    if (unit.kind !== "statement" || !unit.span || isNeeded) return [];
    const rest = `${text.slice(0, unit.span.start)}${text.slice(unit.span.end)}`.split("\n");
    const said = rest.filter((line) => saysWord(line, unit.name));
    return said.every((line) => COMPARES.test(line)) ? own.filter((line) => saysWord(line, unit.name)) : [];
  });
}

const BLOCK = /^\s*\{[\s\S]*\}\s*$/;

const isIn = ({ span }: UnitChange, { from, to }: MutantResult["mutant"]): boolean =>
  span !== null && span.start <= from && to <= span.end;

/** A value of which a part may have been changed, and what stands before it in its line. */
function valueAt(text: string, from: number, to: number): { before: string; value: string } {
  const start = text.lastIndexOf("\n", from) + 1;
  const quotes = [...text.slice(start, from).matchAll(/["'`]/g)];
  const open = quotes.length % 2 === 1 ? quotes.at(-1) : undefined;
  if (!open) return { before: text.slice(start, from), value: text.slice(from, to) };
  const end = text.indexOf(open[0], to);
  return { before: text.slice(start, start + open.index), value: text.slice(start + open.index, end + 1) };
}

/** What stands before a value with which something is compared. */
const DECIDES = /([=!]==?|\bin|\bis|\bcase|(starts|ends)_?with\(|includes\(|(full)?match\(|test\()\s*\(?[rbuf]?$/i;

/** The value is one of several, one of which something must be. A loop only goes through them. */
const AMONG = /^(?!.*\bfor\b).*\bin\s*[([{]/;

const COMPARES = /[=!]=|(?<!\bfor\b.*)\bin\b|\bis\b|(starts|ends)_?with\(|includes\(|\bhas\(/i;

/** Heads of branches that no test takes. */
function untaken({ path, after }: UnitChange, text: string, { coverage }: GuardedCode["met"]): string[] {
  const file = coverage?.files.find((one) => one.path === path);
  if (!file?.available || !after) return [];
  const lines = text.split("\n");
  const isWithin = ({ from }: LineRange) => after.from < from && from <= after.to;
  return file.uncovered.filter(isWithin).flatMap(({ from }) => lines[from - 2]?.trim() ?? []);
}

/** Values in this text, and those that names in it were given by the change. */
function valuesIn(text: string, { units, read }: GuardedCode): string[] {
  const named = units.flatMap(({ kind, name, path, span }) => {
    const isNamed = kind === "statement" && span !== null && saysWord(text, name);
    return isNamed && span ? literalsIn(read(path).slice(span.start, span.end)) : [];
  });
  return [...literalsIn(text), ...named].filter((value) => !isPlain(value));
}

const literalsIn = (text: string): string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`|(?<![\w$.])(\d[\w.]*)/g)].map(
    ([, double, single, back, number]) => double ?? single ?? back ?? number ?? "",
  );

/** Values that everybody uses: to be cautious about them needs no reason. */
const isPlain = (value: string): boolean =>
  /^\d(\.\d)?$|^10+$/.test(value) || !/\w\w/.test(value) || OF_THE_LANGUAGE.has(value);

/** What `typeof` answers, and what Python calls the program that was started. */
const OF_THE_LANGUAGE = new Set([
  ...["string", "number", "object", "function", "undefined", "boolean", "symbol", "bigint", "__main__"],
]);

const isSaid = (value: string, said: string): boolean =>
  /^\d/.test(value) ? saysWord(said, value) : said.includes(value);

const shown = (text: string): string => `\`${text.length > 60 ? `${text.slice(0, 60)}…` : text}\``;
