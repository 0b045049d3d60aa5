import { posix } from "node:path";
import { z } from "zod";
import { readJson } from "../domain/json.ts";
import type { TreeFiles } from "./environment.ts";
import { type ManagerProgram, programFor } from "./manager-programs.ts";
import { nodeSettings } from "./node-settings.ts";

/** What a package manager is given to install from. */
export interface NodeNeeds {
  files: { path: string; content: string }[];
  lock: NodeLock | null;
  /** Null: npm, which comes with Node. */
  manager: ManagerProgram | null;
  from: string[];
  left: string[];
}

const LOCKS = ["npm-shrinkwrap.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock"] as const;
export type NodeLock = (typeof LOCKS)[number];
/** Kept by managers that the registry of npm does not have as plain programs. */
const UNREAD = ["bun.lock", "bun.lockb", "deno.lock"];

const Names = z.record(z.string(), z.string()).catch({});
const Table = z.record(z.string(), z.unknown()).optional().catch(undefined);
/** Only what decides over packages: another test script makes no other environment. Nothing that could run is kept. */
const Manifest = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  private: z.boolean().optional().catch(undefined),
  dependencies: Names.optional(),
  devDependencies: Names.optional(),
  optionalDependencies: Names.optional(),
  peerDependencies: Names.optional(),
  peerDependenciesMeta: Table,
  dependenciesMeta: Table,
  overrides: Table,
  resolutions: Table,
  pnpm: Table,
  workspaces: z.unknown().optional(),
  bin: z.unknown().optional(),
});
const Declared = z.object({ packageManager: z.string().catch("") });

/** Null where no package is asked for. */
export function nodeNeeds(tree: TreeFiles): NodeNeeds | null {
  const { paths, read } = tree;
  const root = Manifest.safeParse(readJson(read("package.json") ?? "")).data;
  if (!root) return null;
  const isMonorepo = root.workspaces !== undefined || read("pnpm-workspace.yaml") !== null;
  const manifests = ["package.json", ...(isMonorepo ? paths.filter(isInner) : [])].flatMap((path) => {
    const manifest = Manifest.safeParse(readJson(read(path) ?? "")).data;
    return manifest ? [{ path, manifest }] : [];
  });
  if (!manifests.some(({ manifest }) => asksForAny(manifest))) return null;
  const { lock, manager, left } = lockOf(tree);
  const described = [
    ...manifests.map(({ path, manifest }) => ({ path, content: `${JSON.stringify(manifest, null, 2)}\n` })),
    ...nodeSettings(tree),
    ...(lock === null ? [] : [{ path: lock, content: read(lock) ?? "" }]),
  ];
  const patches = paths.filter(
    (path) => path.endsWith(".patch") && described.some(({ content }) => content.includes(path)),
  );
  return {
    files: [...described, ...patches.map((path) => ({ path, content: read(path) ?? "" }))],
    lock,
    manager,
    from: [...manifests.map(({ path }) => path), ...(lock === null ? [] : [lock])],
    left,
  };
}

/** The lockfile of the manager that the project names, or the first one that can be read. */
function lockOf({ read }: TreeFiles): Pick<NodeNeeds, "lock" | "manager" | "left"> {
  const declared = Declared.safeParse(readJson(read("package.json") ?? "")).data?.packageManager ?? "";
  const there = LOCKS.filter((path) => read(path) !== null);
  const own = there.filter((path) => declared !== "" && path.startsWith(declared.split("@")[0] ?? ""));
  const left: string[] = UNREAD.filter((path) => read(path) !== null);
  for (const lock of new Set([...own, ...there])) {
    if (lock !== "pnpm-lock.yaml" && lock !== "yarn.lock") return { lock, manager: null, left: [] };
    const manager = programFor(lock, read(lock) ?? "", declared);
    if (manager) return { lock, manager, left: [] };
    left.push(lock);
  }
  return { lock: null, manager: null, left: left.map((path) => `${path}: its form is not read here`) };
}

const isInner = (path: string): boolean =>
  posix.basename(path) === "package.json" && path !== "package.json" && !path.includes("node_modules/");

const asksForAny = ({ dependencies, devDependencies, optionalDependencies }: z.infer<typeof Manifest>): boolean =>
  [dependencies, devDependencies, optionalDependencies].some((names) => Object.keys(names ?? {}).length > 0);
