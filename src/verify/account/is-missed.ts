import { basename } from "node:path/posix";
import type { ChangedFile } from "../change/change-parts.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { makesNames, mayMake } from "./made-names.ts";
import { saysWord } from "./says-word.ts";
import { listsNames, moduleOf, takesName } from "./taken-names.ts";
import type { ProjectText } from "./texts-of-tree.ts";

/** What the project says, after the change. */
export interface ProjectSpeech {
  files: readonly ChangedFile[];
  text: (file: ChangedFile, side: "before" | "after") => string | null;
  /** The project's code, as far as it is no test. */
  sources: () => readonly string[];
  /** Every text of it. */
  texts: () => readonly ProjectText[];
  /** Every path of the result. */
  paths: () => readonly string[];
}

/**
 * Whether something that is gone may be missed. What the file kept to itself and nothing speaks of any more is not; an
 * import only gave names to its own file, unless others take them from there, or nothing else loads what it loaded.
 */
export function isMissed(change: UnitChange, given: ProjectSpeech): boolean {
  const { kind, name, path, before, acts } = change;
  const was = sideOf(path, given, "before");
  const words = was.split("\n").slice((before?.from ?? 1) - 1, before?.to);
  if (kind === "import") return isMissedImport(change, words, given);
  const own = name.split(".").at(-1) ?? name;
  // What Python calls by itself (`__repr__`, `_missing_`) nobody has to speak of; a decorator may have passed it on.
  if (
    /^_.*_$/.test(own) ||
    (kind === "statement" && (acts || name.includes(".") || !isOneName(words))) ||
    (kind === "function" && acts)
  )
    return true;
  if (!/^[_#]/.test(own) && !(isScript(path) && isKept(name, was, words.join("\n")))) return true;
  return isSpokenOf(own, change, given);
}

const isScript = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path);

const sideOf = (path: string, { files, text }: ProjectSpeech, side: "before" | "after"): string => {
  const file = files.find((one) => one.path === path);
  return (file && text(file, side)) ?? "";
};

function isMissedImport({ name, path, standard, loads }: UnitChange, words: string[], given: ProjectSpeech): boolean {
  const said = words.join("\n");
  const top = name.split(".")[0] ?? name;
  if (loads) return true;
  if (!/^[\w$.]+$/.test(name) || /^\s*export\b/.test(said) || saysWord(sideOf(path, given, "after"), top)) return true;
  if (path.endsWith(".py")) {
    // Names of a package are there to be taken.
    if (basename(path) === "__init__.py" && !standard && !name.startsWith("_")) return true;
    if (new RegExp(`\\b${RegExp.escape(top)}\\s+as\\s+${RegExp.escape(top)}\\b`).test(said)) return true;
    if (isTaken(path, top, given)) return true;
  }
  return [...loadedBy(said), name].some((module) => isUnloaded(module, given));
}

const isTaken = (path: string, name: string, { texts }: ProjectSpeech): boolean =>
  texts().some(
    (one) => one.path !== path && one.role === "code" && takesName(one.path, one.text, moduleOf(path), name),
  );

/** Whether a new name in this file's namespace may be met though the file does not say it. */
export function isListed({ path, name }: UnitChange, given: ProjectSpeech): boolean {
  const own = sideOf(path, given, "after");
  if (makesNames(path, own, false) || /^def __getattr__\b/m.test(own)) return true;
  if (!path.endsWith(".py")) return false;
  const others = given.texts().filter((one) => one.path !== path && one.path.endsWith(".py"));
  return isTaken(path, name, given) || others.some((one) => listsNames(one.path, one.text, moduleOf(path)));
}

/** What JavaScript, or who made the class that it extends, calls by itself. */
const CALLED = /^(?:constructor|toJSON|toString|valueOf|then|\[.*\])$/;

/**
 * A part of a script that others cannot reach by its name: it is not exported, nor is what it is a member of. Whoever
 * makes an object of a class may hand it out.
 */
function isKept(name: string, text: string, words: string): boolean {
  const [top = name, member] = name.split(".");
  const said = RegExp.escape(top);
  const isHandedOut = () =>
    member !== undefined && saysWord(text.replace(new RegExp(`\\bclass\\s+${said}\\b`), ""), top);
  if (top === "default" || /\bexports?\b/.test(words) || isExported(said, text) || isHandedOut())
    return member !== undefined && /^\s*private\b/.test(words);
  if (member === undefined) return true;
  return !CALLED.test(member) && !new RegExp(`\\bclass\\s+${said}\\b[^{]*\\bextends\\b`).test(text);
}

const isExported = (name: string, text: string): boolean =>
  new RegExp(
    [
      `\\bexport\\s+(?:default\\s+)?(?:abstract\\s+|async\\s+)*(?:class|function\\*?|const|let|var)\\s+${name}\\b`,
      `\\bexport\\s*\\{[^}]*\\b${name}\\b`,
      `\\bexport\\s*(?:default\\b|=)[^;\\n{]*\\b${name}\\b`,
      `\\b(?:window|globalThis|global|self)\\.\\w+\\s*=[^;\\n]*\\b${name}\\b`,
      `\\bexports\\b[^=\\n;]*=\\s*(?:\\{[^}]*|[^;\\n]*)\\b${name}\\b`,
    ].join("|"),
  ).test(text);

/** A statement that gives one name a value. */
const isOneName = (words: string[]): boolean =>
  /^\s*(?:(?:const|let|var)\s+)?[\w$]+\s*(?::[^=]+)?=(?!=)/.test(words.join("\n"));

/** Code that has the name for something of its own. */
const bindsItself = ({ path, text }: ProjectText, name: string): boolean =>
  path.endsWith(".py") &&
  new RegExp(`^(?:(?:async )?def|class) ${RegExp.escape(name)}\\b|^${RegExp.escape(name)}\\s*=(?!=)`, "m").test(text);

/** Whatever is no test and no document for people may speak of it: code, a template, a page, settings. */
function isSpokenOf(own: string, { name, path }: UnitChange, given: ProjectSpeech): boolean {
  const { sources, texts } = given;
  const others = texts().filter(({ role }) => role === "other");
  const isOther = (one: ProjectText) => bindsItself(one, own) && !takesName(one.path, one.text, moduleOf(path), own);
  const elsewhere = new Set(texts().flatMap((one) => (one.path !== path && isOther(one) ? one.text : [])));
  const speaking = [...sources().filter((text) => !elsewhere.has(text)), ...others.map(({ text }) => text)];
  if (speaking.some((text) => saysWord(text, own))) return true;
  const isMember = name.includes(".");
  const isMaker = (at: string, text: string) => makesNames(at, text, isMember);
  if (isMaker(path, sideOf(path, given, "before")) || isMaker(path, sideOf(path, given, "after"))) return true;
  const code = texts().filter(({ role }) => role === "code");
  return code.some((one) => isMaker(one.path, one.text) && mayMake(one.text, own));
}

/** The last names of the modules that an import says. */
const loadedBy = (text: string): string[] =>
  [...text.matchAll(/\bfrom\s+["'.]*([\w./-]+)|\bimport\s+([\w.]+)|\brequire\(["'.]*([\w./-]+)/g)].flatMap(
    ([, ...said]) =>
      said.flatMap(
        (one) =>
          one
            ?.replace(/\.[cm]?[jt]sx?$/, "")
            .split(/[./]/)
            .at(-1) ?? [],
      ),
  );

/** A file of the project that nothing speaks of any more: what it does when it is loaded is not done. */
function isUnloaded(module: string, { paths, sources }: ProjectSpeech): boolean {
  const file = new RegExp(`(^|/)${RegExp.escape(module)}(\\.py|/__init__\\.py|\\.[cm]?[jt]sx?|/index\\.[cm]?[jt]sx?)$`);
  return paths().some((path) => file.test(path)) && !sources().some((source) => saysWord(source, module));
}
