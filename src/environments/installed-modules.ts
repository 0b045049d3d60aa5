import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJson } from "../domain/json.ts";

const MOST = 10_000;
const Package = z.object({ name: z.string().max(300), version: z.string().max(100) });

/** Packages in a node_modules and their versions, whoever installed them. A second version of one has it in its name. */
export function installedModules(modules: string): Record<string, string> {
  const found = new Map<string, string>();
  collect(modules, found);
  return Object.fromEntries([...found].sort());
}

function collect(modules: string, found: Map<string, string>): void {
  for (const entry of foldersIn(modules)) {
    if (found.size >= MOST) return;
    const path = join(modules, entry);
    // Where pnpm keeps them all; elsewhere it has links, which are not followed.
    if (entry === ".pnpm") for (const inner of foldersIn(path)) collect(join(path, inner, "node_modules"), found);
    else if (entry.startsWith("@")) for (const inner of foldersIn(path)) note(join(path, inner), found);
    else if (!entry.startsWith(".")) note(path, found);
  }
}

function note(path: string, found: Map<string, string>): void {
  const { name, version } = Package.safeParse(readJson(textOf(join(path, "package.json")))).data ?? {};
  if (name !== undefined && version !== undefined)
    found.set((found.get(name) ?? version) === version ? name : `${name}@${version}`, version);
  collect(join(path, "node_modules"), found);
}

function foldersIn(directory: string): string[] {
  try {
    const entries: Dirent[] = readdirSync(directory, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
