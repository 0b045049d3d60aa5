import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJson } from "../domain/json.ts";
import type { NodeLock, NodeNeeds } from "./node-needs.ts";

/** Whether the packages that a directory has are those of this lockfile; without one, whether those asked for are there. */
export function nodeModulesFit(directory: string, { files, lock }: Pick<NodeNeeds, "files" | "lock">): boolean {
  const modules = join(directory, "node_modules");
  if (!existsSync(modules)) return false;
  const wanted = files.find(({ path }) => path === lock)?.content ?? "";
  const fits = lock === null ? null : FITS[lock](wanted, (name) => textOf(join(modules, name)));
  return fits ?? askedFor(files).every((name) => existsSync(join(modules, name)));
}

/** Each manager writes down what it installed. Null where this one did not. */
type Fits = (wanted: string, read: (name: string) => string) => boolean | null;

const npmFits: Fits = (text, read) => {
  const [wanted, there] = [packagesOf(text), packagesOf(read(".package-lock.json"))];
  if (!wanted || !there) return null;
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (!path.startsWith("node_modules/") || optional || link) return true;
    return there[path]?.version === version;
  });
};

const pnpmFits: Fits = (text, read) => {
  const there = read(".pnpm/lock.yaml");
  if (there === "") return null;
  const installed = new Set(pnpmEntries(there).map(({ name }) => name));
  return pnpmEntries(text).every(({ name, optional }) => optional || installed.has(name));
};

const yarnFits: Fits = (text, read) => {
  const classic = YarnIntegrity.safeParse(readJson(read(".yarn-integrity"))).data;
  if (classic) {
    const installed = new Set(Object.values(classic.lockfileEntries).map(withoutHost));
    const wanted = [...text.matchAll(/^ {2}resolved "([^"]+)"$/gm)];
    return wanted.every(([, address = ""]) => installed.has(withoutHost(address)));
  }
  const state = read(".yarn-state.yml");
  if (state === "") return null;
  const installed = new Set(
    [...state.matchAll(/^"(.+)":$/gm)].map(([, name = ""]) => name.replace(/virtual:[0-9a-f]+#/, "")),
  );
  return text.split(/\n\n/).every((entry) => {
    const name = /^ {2}resolution: "(.+)"$/m.exec(entry)?.[1];
    return name === undefined || name.includes("@workspace:") || /^ {2}conditions:/m.test(entry) || installed.has(name);
  });
};

const withoutHost = (address: string): string => address.replace(/^https?:\/\/[^/]+/, "");

const FITS: Record<NodeLock, Fits> = {
  "npm-shrinkwrap.json": npmFits,
  "package-lock.json": npmFits,
  "pnpm-lock.yaml": pnpmFits,
  "yarn.lock": yarnFits,
};

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), optional: z.boolean().optional(), link: z.boolean().optional() }),
  ),
});
const packagesOf = (text: string) => Lock.safeParse(readJson(text)).data?.packages ?? null;

const YarnIntegrity = z.object({ lockfileEntries: z.record(z.string(), z.string()) });

/** One block for each package, with an empty line before it. The last section has them as they are installed. */
function pnpmEntries(text: string): { name: string; optional: boolean }[] {
  const sections = text.split(/^(?:packages|snapshots):$/m);
  return (sections.at(-1) ?? "").split(/\n\n/).flatMap((block) => {
    const name = /^ {2}['"]?(\S+?)['"]?:(?: \{\})?$/m.exec(block)?.[1];
    return name === undefined ? [] : [{ name, optional: /^ {4}optional: true$/m.test(block) }];
  });
}

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
