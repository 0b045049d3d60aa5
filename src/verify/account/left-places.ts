import { type AccountLine, placeOf } from "../../domain/evidence/account.ts";
import { saysWord } from "./says-word.ts";

/** `src/a.py`, `src/`, or `src/a.py total`. */
export function names(leave: string, { path, unit }: Pick<AccountLine, "path" | "unit">): boolean {
  const plain = leave.replace(/^\.\//, "");
  if (plain.endsWith("/")) return path.startsWith(plain);
  return plain === path || plain === placeOf({ path, unit }) || path.startsWith(`${plain}/`);
}

interface KnownPlaces {
  /** Paths that the change touches. */
  changed: readonly string[];
  /** All paths of both sides: who accepts a place in every change names also what this one leaves alone. */
  paths: readonly string[];
  /** Both versions of a file. */
  text: (path: string) => string;
}

/** What is wrong with a place that a person accepts, in one line: there is no such place. Null: there is, changed or not. */
export function missingPlace(leave: string, { changed, paths, text }: KnownPlaces): string | null {
  const all = [...changed, ...paths];
  if (all.some((path) => names(leave, { path }))) return null;
  const plain = leave.replace(/^\.\//, "");
  const file = all.find((path) => plain.startsWith(`${path} `));
  if (file === undefined) return `${flag(leave)} names nothing of this project: the change touches ${listed(changed)}`;
  const unit = plain.slice(file.length + 1);
  const word = unit.split(".").at(-1) ?? unit;
  if (!PLAIN_NAME.test(unit) || word === "docstring" || saysWord(text(file), word)) return null;
  return `${flag(leave)} names nothing in ${file}, before or after the change`;
}

/** Other names of places are the words that a statement begins with. */
const PLAIN_NAME = /^[\w$]+(\.[\w$]+)*$/;

/** Places that a person accepts and where nothing is open, each in one line. */
export const neededNothing = (leave: readonly string[], account: readonly AccountLine[]): string[] =>
  leave
    .filter((one) => !account.some((line) => line.left && names(one, line)))
    .map((one) => `${flag(one)} accepts nothing: no place that it names is open`);

const flag = (leave: string): string => `--leave ${/\s/.test(leave) ? `'${leave}'` : leave}`;

const NAMED = 5;

const listed = (all: readonly string[]): string =>
  all.length === 0
    ? "nothing"
    : `${all.slice(0, NAMED).join(", ")}${all.length > NAMED ? ` and ${all.length - NAMED} more` : ""}`;
