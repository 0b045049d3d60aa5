import { posix } from "node:path";
import { z } from "zod";
import { readJson } from "../domain/json.ts";
import type { TreeFiles } from "./environment.ts";

/** What npm is given to install from. */
export interface NodeNeeds {
  files: { path: string; content: string }[];
  lock: "package-lock.json" | "npm-shrinkwrap.json" | null;
  from: string[];
  /** A setting of the project's that decides whether its lockfile can be installed at all. */
  legacyPeers: boolean;
}

const Names = z.record(z.string(), z.string()).catch({});
/** Only what decides over packages: another test script makes no other environment. Nothing that could run is kept. */
const Manifest = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  dependencies: Names.optional(),
  devDependencies: Names.optional(),
  optionalDependencies: Names.optional(),
  peerDependencies: Names.optional(),
  peerDependenciesMeta: z.record(z.string(), z.unknown()).optional().catch(undefined),
  overrides: z.record(z.string(), z.unknown()).optional().catch(undefined),
  workspaces: z.unknown().optional(),
  bin: z.unknown().optional(),
});

/** Null where no package is asked for, or where another manager keeps the lockfile: npm would install something else. */
export function nodeNeeds({ paths, read }: TreeFiles): NodeNeeds | null {
  const root = Manifest.safeParse(readJson(read("package.json") ?? "")).data;
  if (!root) return null;
  const isMonorepo = root.workspaces !== undefined;
  const manifests = ["package.json", ...(isMonorepo ? paths.filter(isInner) : [])].flatMap((path) => {
    const manifest = Manifest.safeParse(readJson(read(path) ?? "")).data;
    return manifest ? [{ path, manifest }] : [];
  });
  if (!manifests.some(({ manifest }) => asksForAny(manifest))) return null;
  const lock = (["npm-shrinkwrap.json", "package-lock.json"] as const).find((path) => read(path) !== null) ?? null;
  if (lock === null && ["pnpm-lock.yaml", "yarn.lock", "bun.lock"].some((path) => read(path) !== null)) return null;
  return {
    files: [
      ...manifests.map(({ path, manifest }) => ({ path, content: `${JSON.stringify(manifest, null, 2)}\n` })),
      ...(lock === null ? [] : [{ path: lock, content: read(lock) ?? "" }]),
    ],
    lock,
    from: [...manifests.map(({ path }) => path), ...(lock === null ? [] : [lock])],
    legacyPeers: /^\s*legacy-peer-deps\s*=\s*true\s*$/m.test(read(".npmrc") ?? ""),
  };
}

const isInner = (path: string): boolean =>
  posix.basename(path) === "package.json" && path !== "package.json" && !path.includes("node_modules/");

const asksForAny = ({ dependencies, devDependencies, optionalDependencies }: z.infer<typeof Manifest>): boolean =>
  [dependencies, devDependencies, optionalDependencies].some((names) => Object.keys(names ?? {}).length > 0);
