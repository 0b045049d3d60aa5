import { basename, extname } from "node:path/posix";
import { matchesAny } from "../../workspace/glob.ts";

/** Whether a text of code speaks of a file: by its name, or of a folder of it that is read or embedded as a whole. */
export function speaksOf(text: string, path: string, folders: readonly string[] = foldersOf(path)): boolean {
  if (text.includes(basename(path))) return true;
  if (embeds(text, path)) return true;
  return (speaksOfEnding(text, path) || LISTS.test(text)) && folders.some((folder) => namesFolder(text, folder));
}

/** Whether it speaks of all files with this ending: `name + ".md"`, `f"{name}.md"`, `"%s.md"`, `*.md`. */
export function speaksOfEnding(text: string, path: string): boolean {
  const ending = extname(path);
  return ending !== "" && new RegExp(`(["'\`*})]|%\\w|\\)s)${RegExp.escape(ending)}["'\`]`).test(text);
}

/** The names of its folders, those that people write for people apart. */
const foldersOf = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .filter((name) => !/^(docs?|documentation|\.github)$/i.test(name));

/** A string that is a path with this folder in it; an address has a colon. */
const namesFolder = (text: string, folder: string): boolean =>
  new RegExp(`["'\`](?:[\\w.-]*/)*${RegExp.escape(folder)}(?:/[^"'\`\\n:]*)?["'\`]`).test(text);

const LISTS =
  /\b(iterdir|i?r?glob\w*|listdir|scandir|os\.walk|readdir(Sync)?|ReadDir|WalkDir|FileSystemLoader|PackageLoader|express\.static|serveStatic|StaticFiles|static_folder|loaddata)\b/;

/** `//go:embed fixtures`: patterns of files and folders. */
const embeds = (text: string, path: string): boolean =>
  [...text.matchAll(/^\/\/go:embed[ \t]+(.+)$/gm)].some(([, list = ""]) =>
    matchesAny(
      list
        .split(/\s+/)
        .map((one) => one.replace(/^["'`]?(all:)?|["'`]$/g, ""))
        .filter((one) => one !== ""),
      path,
    ),
  );
