import { replaceAll } from "../../syntax/nodes.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import type { SourceFile } from "../language.ts";
import type { RecordOrder, WatchedFile } from "../recorded-calls.ts";
import { placeRuntime } from "./place-runtime.ts";
import { type NamedFunction, namedFunctions, tellingCall } from "./record-functions.ts";
import { RECORD, recordRuntime, STANDING } from "./record-runtime.ts";

const MOST_FILES = 400;
const LARGEST = 400_000;

/**
 * The sources of a project as they record calls: watched functions tell their arguments, and every source says
 * which functions and classes it has, so that objects of them can be named. By the text, since each runner loads
 * and transforms modules in its own way.
 */
export async function recordSources(
  sources: SourceFile[],
  order: RecordOrder,
  parsers: SyntaxParsers,
): Promise<SourceFile[]> {
  const root = order.out.slice(0, order.out.lastIndexOf("/"));
  const rewritten: SourceFile[] = [];
  for (const { path, content } of sources) {
    if (!/\.[cm]?[jt]sx?$/.test(path)) continue;
    const watched = order.files[path];
    if (!watched && (rewritten.length >= MOST_FILES || content.length > LARGEST)) continue;
    const told = watched ? await telling({ path, content }, watched, parsers) : content;
    const names = standingNames(content);
    if (told === null || (names.length === 0 && !watched)) continue;
    const runtime = watched ? runtimeOf(order, root) : "";
    const pairs = names.map((name) => `${JSON.stringify(name)}: () => ${name}`).join(", ");
    const common = 'typeof module === "object" && module ? () => module.exports : null';
    const standing = `;(${STANDING} ??= []).push([${JSON.stringify(path)}, { ${pairs} }, ${common}]);`;
    rewritten.push({ path, content: `${told}\n${standing}${runtime}\n` });
  }
  return rewritten;
}

const runtimeOf = ({ out, first, place }: RecordOrder, root: string) =>
  place ? placeRuntime(out, root, place) : recordRuntime(out, root, first);

async function telling(file: SourceFile, watched: WatchedFile, parsers: SyntaxParsers): Promise<string | null> {
  const grammar = grammarOf(file.path);
  if (grammar === null) return null;
  const { root, broken } = await parsers.parse(grammar, file.content);
  if (broken) return null;
  const chosen = namedFunctions(root, file.content).filter((one) => watched.all || isAsked(one, watched));
  const pieces = chosen.flatMap((one) => tellingCall(one, file.path, RECORD, file.content));
  return replaceAll(file.content, pieces);
}

const isAsked = ({ name, from }: NamedFunction, { functions }: WatchedFile) =>
  functions.some((one) => one.name === name && one.from <= from && from <= one.to);

/** Of functions and classes at the top of a module; a name that is not one is never looked up. */
function standingNames(text: string): string[] {
  const declared =
    /^(?:export\s+)?(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:class|function\s*\*?)\s+([A-Za-z_$][\w$]*)/gm;
  const assigned =
    /^(?:export\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=\n]*)?=\s*(?:async\b|class\b|function\b|\(|[\w$]+\s*=>)/gm;
  const names = [...text.matchAll(declared), ...text.matchAll(assigned)].map(([, name]) => name ?? "");
  return [...new Set(names)].slice(0, 500);
}

/** Writes files into the workspace, from inside the sandbox. */
export const WRITE_FILES = `
const fs = require("node:fs");
for (const { path, content } of JSON.parse(fs.readFileSync(0, "utf8"))) fs.writeFileSync("./" + path, content);
`;
