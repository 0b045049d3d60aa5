import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJson } from "../domain/json.ts";
import type { NodeNeeds } from "./node-needs.ts";

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), optional: z.boolean().optional(), link: z.boolean().optional() }),
  ),
});

/** Whether the packages that a directory has are those of this lockfile; without one, whether those asked for are there. */
export function nodeModulesFit(directory: string, { files, lock }: NodeNeeds): boolean {
  const modules = join(directory, "node_modules");
  if (!existsSync(modules)) return false;
  const wanted = readLock(files.find(({ path }) => path === lock)?.content ?? "");
  // What npm itself wrote down of what it installed. Other managers write nothing of the kind.
  const there = readLock(textOf(join(modules, ".package-lock.json")));
  if (!wanted || !there) return askedFor(files).every((name) => existsSync(join(modules, name)));
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (!path.startsWith("node_modules/") || optional || link) return true;
    return there[path]?.version === version;
  });
}

/** The versions that npm installed there. */
export function installedModules(directory: string): Record<string, string> {
  const found = readLock(textOf(join(directory, "node_modules/.package-lock.json"))) ?? {};
  return Object.fromEntries(
    Object.entries(found).flatMap(([path, { version }]) =>
      version !== undefined && path.startsWith("node_modules/") ? [[path.slice("node_modules/".length), version]] : [],
    ),
  );
}

const readLock = (text: string) => Lock.safeParse(readJson(text)).data?.packages ?? null;

const Asked = z.object({
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});

function askedFor(files: NodeNeeds["files"]): string[] {
  const root = files.find(({ path }) => path === "package.json");
  const { dependencies = {}, devDependencies = {} } = Asked.safeParse(readJson(root?.content ?? "")).data ?? {};
  return Object.keys({ ...dependencies, ...devDependencies });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
