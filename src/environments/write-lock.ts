import { readFileSync } from "node:fs";
import { join } from "node:path";
import { removeTree } from "../workspace/remove-tree.ts";
import type { ManifestEdit } from "./add-package.ts";
import type { TreeFiles } from "./environment.ts";
import { explainBuild } from "./explain-build.ts";
import { managerFiles, writeLockLines } from "./manager-programs.ts";
import { nodeNeeds } from "./node-needs.ts";
import { type Base, type BuildParts, runManager } from "./run-manager.ts";

/** The lockfile of npm's kind that fits these manifests, written by the manager that keeps it; null: there is none. */
export async function writeLock(
  tree: TreeFiles,
  base: Base,
  parts: BuildParts,
): Promise<ManifestEdit | { problem: string } | null> {
  const needs = nodeNeeds(tree);
  if (!needs?.lock) return null;
  const { lock, manager, from } = needs;
  const lines = manager ? writeLockLines(manager) : ["npm install --package-lock-only --ignore-scripts"];
  if (!lines) return { problem: `${lock} is written by yarn, which cannot be asked for it here` };
  // Whole manifests: the lockfile repeats more of them than an installation needs.
  const whole = needs.files.map(({ path, content }) => ({ path, content: tree.read(path) ?? content }));
  const files = [...whole, ...(manager ? managerFiles(manager) : [])];
  const draft = parts.directories.begin("lock");
  try {
    const recipe = { language: "javascript" as const, files, command: lines.join("\n") };
    const { workspace, result, requests } = await runManager(draft, recipe, base, parts);
    if (result.ending !== "exited" || result.exitCode !== 0)
      return { problem: explainBuild({ from, interpreter: "node", files }, result, requests) };
    return { path: lock, content: readFileSync(join(workspace, lock), "utf8") };
  } finally {
    removeTree(draft);
  }
}
