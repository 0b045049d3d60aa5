import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJson } from "../domain/json.ts";

const MOST = 10_000;
const Package = z.object({
  name: z.string().max(300),
  version: z.string().max(100),
  scripts: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

interface Installed {
  versions: Map<string, string>;
  scripted: Set<string>;
}

/**
 * Packages in a node_modules and their versions, whoever installed them; a second version of one has it in its name. And those
 * that have scripts for their installation, which never run here.
 */
export function installedModules(modules: string): { versions: Record<string, string>; scripted: string[] } {
  const found: Installed = { versions: new Map(), scripted: new Set() };
  collect(modules, found);
  return { versions: Object.fromEntries([...found.versions].sort()), scripted: [...found.scripted].sort() };
}

function collect(modules: string, found: Installed): void {
  for (const entry of foldersIn(modules)) {
    if (found.versions.size >= MOST) return;
    const path = join(modules, entry);
    // Where pnpm keeps them all; elsewhere it has links, which are not followed.
    if (entry === ".pnpm") for (const inner of foldersIn(path)) collect(join(path, inner, "node_modules"), found);
    else if (entry.startsWith("@")) for (const inner of foldersIn(path)) note(join(path, inner), found);
    else if (!entry.startsWith(".")) note(path, found);
  }
}

function note(path: string, found: Installed): void {
  const { name, version, scripts = {} } = Package.safeParse(readJson(textOf(join(path, "package.json")))).data ?? {};
  if (name !== undefined && version !== undefined) {
    const { versions, scripted } = found;
    versions.set((versions.get(name) ?? version) === version ? name : `${name}@${version}`, version);
    if (["preinstall", "install", "postinstall"].some((script) => script in scripts)) scripted.add(name);
  }
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
