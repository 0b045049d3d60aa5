import { basename, dirname } from "node:path/posix";
import type { AccountLine } from "../../domain/evidence/account.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { type AskedFor, isAskedFor } from "./asked-places.ts";
import { saysWord } from "./says-word.ts";

interface Unasked {
  asked: AskedFor;
  files: readonly ChangedFile[];
  units: readonly UnitChange[];
  text: (file: ChangedFile, side: "before" | "after") => string | null;
}

/**
 * What does nothing is delivered unasked only where the work is: comments and imports in files that it changes anyway,
 * documents that speak of what it changes. A changed letter, a second file with another first line: a question.
 */
export function markUnasked(account: readonly AccountLine[], { asked, files, units, text }: Unasked): AccountLine[] {
  const worked = new Set(account.filter(({ standing }) => standing !== "inert").map(({ path }) => path));
  const folders = new Set([...worked].map(dirname));
  const names = namesOf(units, worked);
  const belongs = (file: ChangedFile): boolean => {
    const { path, before } = file;
    if (worked.has(path) || isAskedFor(path, asked)) return true;
    if (file.part === "source")
      return before === null && basename(path) === "__init__.py" && folders.has(dirname(path));
    if (file.part !== "documentation" || KEPT.test(basename(path))) return true;
    const known = new Set(text(file, "before")?.split("\n"));
    const added = (text(file, "after") ?? "").split("\n").filter((line) => !known.has(line));
    return added.some((line) => names.some((name) => saysWord(line, name)));
  };
  const strange = new Set(files.filter((file) => !belongs(file)).map(({ path }) => path));
  return account.map((line) =>
    line.standing === "inert" && strange.has(line.path)
      ? { ...line, standing: "not-judged", why: "nobody asked for it, and nothing else of the work is there" }
      : line,
  );
}

/** They tell of every work. */
const KEPT = /^(README|CHANGELOG|CHANGES|HISTORY|NEWS)\b/i;

/** What the work makes: names of its parts and files. */
const namesOf = (units: readonly UnitChange[], worked: ReadonlySet<string>): string[] => [
  ...new Set([
    ...units
      .filter(({ relation }) => relation !== "same" && relation !== "inert")
      .map(({ name }) => name.split(".").at(-1) ?? name)
      .filter((name) => /^[\w$]{3,}$/.test(name)),
    ...[...worked].map((path) => basename(path).replace(/\.\w+$/, "")).filter((name) => name.length > 2),
  ]),
];
