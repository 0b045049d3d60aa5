import { lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { removeTree } from "../workspace/remove-tree.ts";
import type { EnvironmentRecord, Recipe } from "./environment.ts";
import { recordFile } from "./environment-directories.ts";
import { explainBuild } from "./explain-build.ts";
import { installedPackages } from "./fits-python.ts";
import { modulesOf } from "./go-needs.ts";
import { installedModules } from "./installed-modules.ts";
import { type Base, type BuildParts, runManager } from "./run-manager.ts";

/**
 * Carries a recipe out in a sandbox that reaches the registry of its language and nothing else. What was built gets its
 * name only when it is complete, so that a process that is killed leaves nothing that looks like an environment.
 */
export async function buildEnvironment(
  recipe: Recipe,
  base: Base,
  parts: BuildParts,
): Promise<EnvironmentRecord | { problem: string }> {
  const { directories, clock } = parts;
  const start = clock();
  directories.prune(start);
  const draft = directories.begin(recipe.name);
  try {
    const { workspace, result, requests } = await runManager(draft, recipe, base, parts);
    if (result.ending !== "exited" || result.exitCode !== 0) return { problem: explainBuild(recipe, result, requests) };
    const problem = whatIsWrong(workspace, recipe, base);
    if (problem !== null) return { problem };
    const record: EnvironmentRecord = {
      name: recipe.name,
      language: recipe.language,
      interpreter: recipe.interpreter,
      from: recipe.from,
      left: recipe.left,
      locked: recipe.locked,
      command: recipe.command,
      ...packagesIn(workspace, recipe),
      builtAt: start,
      durationMs: clock() - start,
    };
    writeFileSync(recordFile(draft), `${JSON.stringify(record, null, 2)}\n`);
    directories.finish(draft, recipe.name);
    return record;
  } finally {
    removeTree(draft);
  }
}

/** Packages write into what will be shown to every sandbox: it must still be what the recipe made. */
function whatIsWrong(workspace: string, { fills, language, name }: Recipe, base: Base): string | null {
  const place = join(workspace, fills);
  if (!lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) return `${name} has no ${fills} after its build`;
  if (language !== "python") return null;
  const home = /^home *= *(.+)$/m.exec(readFileSync(join(place, "pyvenv.cfg"), "utf8"))?.[1]?.trim() ?? "";
  const isKnown = dirname(home) === "/usr" || base.mounts.some(({ to }) => home.startsWith(`${to}/`));
  return isKnown ? null : `a package replaced pyvenv.cfg: it names ${home} as its interpreter`;
}

function packagesIn(workspace: string, { language, fills }: Recipe): Pick<EnvironmentRecord, "packages" | "scripted"> {
  if (language === "javascript") {
    const { versions, scripted } = installedModules(join(workspace, fills));
    return { packages: versions, scripted };
  }
  if (language === "go") return { packages: modulesOf(join(workspace, fills)), scripted: [] };
  const library = join(workspace, fills, "lib");
  const sites = readdirSync(library).map((name) => join(library, name, "site-packages"));
  return { packages: Object.fromEntries([...installedPackages(sites)].sort()), scripted: [] };
}
