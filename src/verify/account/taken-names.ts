import { basename } from "node:path/posix";
import { importedAs } from "../change/imported-files.ts";
import { makesNames } from "./made-names.ts";
import { saysWord } from "./says-word.ts";

/** Whether this text takes a name out of a module of Python: by its name, or by all of its names. */
export function takesName(path: string, text: string, module: string, name: string): boolean {
  const isMeant = (list: string) =>
    saysWord(list, name) || (/^\s*\(?\s*\*/.test(list) && isSaidBehind(path, text, name));
  if (broughtFrom(text, module).some(isMeant)) return true;
  return handlesOf(text, module).some((handle) =>
    new RegExp(`(?<![\\w])${handle}\\s*(?:\\.|,\\s*["'])${RegExp.escape(name)}(?!\\w)`).test(text),
  );
}

/** Whether this text has to do with every name of a module of Python, whatever they are. */
export function listsNames(path: string, text: string, module: string): boolean {
  if (broughtFrom(text, module).some((list) => list.trim().startsWith("*"))) return true;
  const asks = handlesOf(text, module).some((handle) =>
    new RegExp(`(?:vars|dir|getmembers|getattr)\\(\\s*(?:[\\w.]*\\.)?${handle}\\b|\\b${handle}\\.__dict__`).test(text),
  );
  const isAny = /\b(?:import_module|__import__|iter_modules|walk_packages|spec_from_file_location)\(/.test(text);
  return (asks || isAny) && makesNames(path, text, false);
}

/** What others call it: the last part of its path. */
export const moduleOf = (path: string): string => basename(importedAs(path)[0] ?? path);

/** What is listed behind `from … import`. */
const broughtFrom = (text: string, module: string): string[] =>
  [
    ...text.matchAll(
      new RegExp(
        `^[ \\t]*from[ \\t]+[\\w.]*(?<!\\w)${RegExp.escape(module)}[ \\t]+import[ \\t]+(\\([^)]*\\)|[^\\n]*)`,
        "gm",
      ),
    ),
  ].map(([, list = ""]) => list);

/** A module by its own name and by those that it is given here. */
function handlesOf(text: string, module: string): string[] {
  const given = text.matchAll(new RegExp(`\\b${RegExp.escape(module)}[ \\t]+as[ \\t]+(\\w+)`, "g"));
  return [RegExp.escape(module), ...[...given].flatMap(([, name]) => name ?? [])];
}

/** A package hands on what it takes. */
const isSaidBehind = (path: string, text: string, name: string): boolean =>
  basename(path) === "__init__.py" || saysWord(text, name);
