import { posix } from "node:path";
import type { TreeFiles } from "./environment.ts";

/** What files of pip's format ask for. */
export interface Requirements {
  lines: string[];
  /** Those of them that no file for tests or development alone names. */
  own: string[];
  constraints: string[];
  /** Files that were read. */
  from: string[];
  /** Lines that were not taken: another index, an address, a path. */
  left: string[];
}

const USUAL =
  /^((requirements[-_.]?)?(tests?|testing|dev|develop|ci)[-_.])?requirements([-_.](tests?|testing|dev|develop|ci))?\.txt$/;
const IN_FOLDER =
  /^(requirements\/(base|main|common|tests?|testing|dev|develop|ci|requirements)|tests?\/requirements)\.txt$/;

/** The files by their usual names at the root, and what they include. */
export function readRequirementFiles(tree: TreeFiles): Requirements {
  const found: Requirements = { lines: [], own: [], constraints: [], from: [], left: [] };
  const usual = tree.paths.filter((path) => USUAL.test(path) || IN_FOLDER.test(path));
  const ofProject = usual.filter((path) => !BESIDE.test(path));
  for (const path of ofProject) readFile(tree, path, "lines", found);
  found.own = [...found.lines];
  for (const path of usual) readFile(tree, path, "lines", found);
  return found;
}

/** By their names for tests or development alone. */
const BESIDE = /(^|[-_./])(tests?|testing|dev|develop|ci)[-_./]/;

const MOST_FILES = 50;

function readFile(tree: TreeFiles, path: string, into: "lines" | "constraints", found: Requirements): void {
  const text = tree.read(path);
  if (text === null || found.from.includes(path) || found.from.length >= MOST_FILES) return;
  found.from.push(path);
  for (const line of logicalLines(text)) {
    const included = /^(?:-(r|c)|--(requirement|constraint))[\s=]*(\S+)$/.exec(line);
    if (included) {
      const [, short, long, other = ""] = included;
      const kind = short === "c" || long === "constraint" ? "constraints" : into;
      readFile(tree, posix.join(posix.dirname(path), other), kind, found);
    } else if (isOwnProject(line)) continue;
    else if (isByName(line)) found[into].push(line);
    else if (!HARMLESS.test(line)) found.left.push(`${path}: ${line}`);
  }
}

/** Says how a file is installed, and names no other place. */
const HARMLESS = /^--(require-hashes|only-binary|no-binary|prefer-binary|pre|use-feature)\b/;

/** Comments gone, lines that go on joined. */
const logicalLines = (text: string): string[] =>
  text
    .replace(/\\\r?\n/g, " ")
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");

/** The project itself is found without being installed. */
const isOwnProject = (line: string): boolean => /^(-e|--editable)?[\s=]*\.\/?(\[[^\]]*\])?$/.test(line);

/** A package of the index by its name; never an address, a path or an option. */
export const isByName = (line: string): boolean =>
  /^[A-Za-z0-9][\w.-]*\s*(\[[^\]]*\])?\s*($|[;<>=!~(]|--hash)/.test(line) && !/\s@\s|:\/\//.test(line);
