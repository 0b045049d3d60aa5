import { existsSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import type { TreeFiles } from "./environment.ts";

/** What the modules of a tree ask for. */
export interface GoNeeds {
  files: { path: string; content: string }[];
  from: string[];
  /** Module and version, as `go.mod` names them. */
  modules: { path: string; version: string }[];
  /** False where a `go.sum` is missing: nobody wrote down what belongs in a module. */
  locked: boolean;
}

/** Null where nothing is asked for, or where the tree brings it itself (`vendor/`). */
export function goNeeds({ paths, read }: TreeFiles): GoNeeds | null {
  if (read("vendor/modules.txt") !== null) return null;
  const workspace = read("go.work");
  // Others are reached by a path in one of these: a module of the workspace, or one that stands for another.
  const roots = `${workspace ?? ""}\n${read("go.mod") ?? ""}`;
  const isReached = (folder: string) => folder === "." || roots.includes(`./${folder}`);
  const names = paths.filter((path) => GO_FILES.test(posix.basename(path)) && isReached(posix.dirname(path)));
  const files = names.map((path) => ({ path, content: read(path) ?? "" }));
  const manifests = files.filter(({ path }) => path === "go.mod" || (workspace !== null && path.endsWith("/go.mod")));
  const modules = manifests.flatMap(({ content }) => requiredIn(content));
  if (modules.length === 0) return null;
  const locked = manifests.every(
    ({ path, content }) => requiredIn(content).length === 0 || read(path.replace(/mod$/, "sum")) !== null,
  );
  return { files, from: names, modules, locked };
}

const GO_FILES = /^go\.(mod|sum|work|work\.sum)$/;

function requiredIn(text: string): GoNeeds["modules"] {
  const plain = text.replace(/\/\/.*$/gm, "");
  const blocks = [...plain.matchAll(/^require\s*\(([^)]*)\)/gm)].map(([, block = ""]) => block);
  const single = [...plain.matchAll(/^require\s+([^(\s]+\s+\S+)/gm)].map(([, line = ""]) => line);
  const replaced = new Set([...plain.matchAll(/^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>/gm)].map(([, path]) => path));
  return [...blocks.flatMap((block) => block.split("\n")), ...single].flatMap((line) => {
    const [, path, version] = /^\s*"?([^\s"]+)"?\s+(v\S+)\s*$/.exec(line) ?? [];
    return path === undefined || version === undefined || replaced.has(path) ? [] : [{ path, version }];
  });
}

/** Modules of these that a cache of Go's has, unpacked. */
export const modulesIn = (cache: string, modules: GoNeeds["modules"]): GoNeeds["modules"] =>
  modules.filter(({ path, version }) => existsSync(join(cache, `${escaped(path)}@${escaped(version)}`)));

/** Every module that a cache of Go's holds, and its versions. */
export function modulesOf(cache: string): Record<string, string> {
  const names = readdirSync(join(cache, "cache/download"), { recursive: true, encoding: "utf8" });
  const found = names.sort().flatMap((name) => {
    const [, path, version] = /^(.+)\/@v\/(v[^/]+)\.zip$/.exec(name) ?? [];
    return path === undefined || version === undefined ? [] : [[plain(path), plain(version)]];
  });
  return Object.fromEntries(found);
}

const plain = (text: string): string => text.replace(/!([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** File systems that know no capital letters are why Go writes them as `!` and the small one. */
const escaped = (text: string): string => text.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
