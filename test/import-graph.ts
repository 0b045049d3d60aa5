import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync, Visitor } from "rolldown/utils";
import { packageRoot } from "../src/config/package-root.ts";

export interface Import {
  from: string;
  to: string;
}

/** What each node has an arrow to. */
export type Arrows = Map<string, Set<string>>;

/** Files that stand in no subfolder are a room as well. */
export const ROOT = ".";

const source = join(packageRoot(), "src");

/** Every source file of ours, and every import of another one, type imports included. Tests are left out. */
export const files = globSync("**/*.ts", { cwd: source }).filter((file) => !file.endsWith(".test.ts"));
export const imports = files.flatMap(importsOf);

/** `engine` of engine/hands/approve.ts */
export const partOf = (file: string): string => file.split("/")[0] ?? "";

/** `hands` of engine/hands/approve.ts */
export function roomOf(file: string): string {
  const [, room, inside] = file.split("/");
  return room === undefined || inside === undefined ? ROOT : room;
}

/** The folders of src/ that have subfolders. */
export const foldersWithRooms = [...new Set(files.filter((file) => roomOf(file) !== ROOT).map(partOf))].sort();

/** The files of a folder, without it in their names, that files outside of it import. */
export function doorsOf(folder: string): string[] {
  const isInside = (file: string) => file.startsWith(`${folder}/`);
  const entered = imports.filter(({ from, to }) => isInside(to) && !isInside(from));
  return [...new Set(entered.map(({ to }) => to.slice(folder.length + 1)))].sort();
}

/** The arrows between what the files of these imports belong to; an arrow to itself says nothing. */
export function arrowsBetween(chosen: Import[], ownerOf: (file: string) => string): Arrows {
  const arrows: Arrows = new Map();
  for (const { from, to } of chosen) {
    const [owner, other] = [ownerOf(from), ownerOf(to)];
    if (owner !== other) arrows.set(owner, (arrows.get(owner) ?? new Set()).add(other));
  }
  return arrows;
}

/** What can be reached from a node, itself only by a circle. */
export function reachable(arrows: Arrows, node: string, found = new Set<string>()): Set<string> {
  for (const next of arrows.get(node) ?? []) {
    if (found.has(next)) continue;
    found.add(next);
    reachable(arrows, next, found);
  }
  return found;
}

/** The groups of nodes that can each be reached from each other. */
export function circlesIn(arrows: Arrows): string[][] {
  const reach = new Map([...arrows.keys()].map((node) => [node, reachable(arrows, node)]));
  const inCircle = [...reach.keys()].filter((node) => reach.get(node)?.has(node)).sort();
  const groups = inCircle.map((node) =>
    inCircle.filter((other) => reach.get(node)?.has(other) && reach.get(other)?.has(node)),
  );
  return groups.filter(([first], index) => first === inCircle[index]);
}

/** Static imports, type imports, re-exports and `import()`, of files of ours. */
function importsOf(file: string): Import[] {
  const { program } = parseSync(file, readFileSync(join(source, file), "utf8"), { lang: "ts" });
  const found: string[] = [];
  const take = (node: { source?: unknown }) => {
    const { source: literal } = node;
    if (typeof literal === "object" && literal !== null && "value" in literal) found.push(String(literal.value));
  };
  new Visitor({
    ImportDeclaration: take,
    ExportNamedDeclaration: take,
    ExportAllDeclaration: take,
    ImportExpression: take,
    TSImportType: take,
  }).visit(program);
  return found
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => ({ from: file, to: relative(source, join(source, dirname(file), specifier)) }));
}
