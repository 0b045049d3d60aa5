import { dirname, relative } from "node:path/posix";
import { importedAs, importedFiles } from "../change/imported-files.ts";
import type { ProjectSpeech } from "./is-missed.ts";
import type { ProjectText } from "./texts-of-tree.ts";

export type PlacedText = Pick<ProjectText, "path" | "text">;

/** Whether a text asks for the file at this path by a module's name, as far as its words tell. */
export function asksFor({ path, text }: PlacedText, target: string): boolean {
  if (path === target) return false;
  const stems = importedAs(target);
  const said = importedFiles(path, text);
  // A script of Python finds what stands beside it.
  const beside = path.endsWith(".py") ? stems.map((stem) => relative(dirname(path), stem)) : [];
  if ([...stems, ...beside].some((stem) => said.has(stem))) return true;
  return !target.endsWith(".py") && saysPath(text, stems[0] ?? target);
}

/** By another way to say it: an alias of a folder, a package of Go. */
function saysPath(text: string, stem: string): boolean {
  const tail = stem.split("/").slice(-2);
  if (tail.length < 2) return false;
  return new RegExp(`["'\`](?:[^"'\`\\n]*/)?${RegExp.escape(tail.join("/"))}(?:\\.[cm]?[jt]sx?)?["'\`]`).test(text);
}

/** The texts as they were before the change. */
export function textsBefore({ files, text, texts }: ProjectSpeech): PlacedText[] {
  const changed = new Set(files.map(({ path }) => path));
  const old = files.flatMap((file) => {
    const was = text(file, "before");
    return was === null ? [] : [{ path: file.path, text: was }];
  });
  return [...texts().filter(({ path }) => !changed.has(path)), ...old];
}

export function pathsBefore({ files, paths }: ProjectSpeech): string[] {
  const added = new Set(files.flatMap(({ path, before }) => (before ? [] : path)));
  return [...paths().filter((path) => !added.has(path)), ...files.flatMap(({ path, after }) => (after ? [] : path))];
}
