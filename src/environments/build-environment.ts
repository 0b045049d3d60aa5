import { chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SandboxLimits } from "../domain/settings/settings.ts";
import type { Mount, NetworkRequest, Sandbox } from "../sandbox/sandbox.ts";
import type { Owner } from "../workspace/artifact-store.ts";
import { removeTree } from "../workspace/remove-tree.ts";
import type { EnvironmentRecord, Recipe } from "./environment.ts";
import { type EnvironmentDirectories, recordFile } from "./environment-directories.ts";
import { explainBuild } from "./explain-build.ts";
import { installedPackages } from "./fits-python.ts";
import { modulesOf } from "./go-needs.ts";
import { installedModules } from "./installed-modules.ts";

export interface BuildParts {
  directories: EnvironmentDirectories;
  sandbox: Sandbox;
  limits: SandboxLimits;
  /** The user that sandboxed code runs as, if it is not ours. */
  owner: Owner | null;
  /** Hosts of the registries, by language. */
  registries: Partial<Record<string, string[]>>;
  clock(): number;
  signal: AbortSignal;
}

/** What an interpreter needs to be there while packages are installed. */
export interface Base {
  mounts: Mount[];
  path: string[];
  env?: Record<string, string>;
}

const SETTINGS = {
  // No code of a package runs while it is installed.
  npm_config_ignore_scripts: "true",
  PIP_ONLY_BINARY: ":all:",
  PIP_NO_CACHE_DIR: "1",
  // Whatever host a lockfile names: packages come from the registry, by name and hash.
  npm_config_replace_registry_host: "always",
  // The mirror stands between, and says at once what cannot be had.
  npm_config_fetch_retries: "1",
  npm_config_fetch_retry_mintimeout: "500",
  PIP_RETRIES: "1",
};

/**
 * Carries a recipe out in a sandbox that reaches the registry of its language and nothing else. What was built gets its
 * name only when it is complete, so that a process that is killed leaves nothing that looks like an environment.
 */
export async function buildEnvironment(
  recipe: Recipe,
  base: Base,
  parts: BuildParts,
): Promise<EnvironmentRecord | { problem: string }> {
  const { directories, sandbox, registries, clock, signal, owner } = parts;
  const start = clock();
  directories.prune(start);
  const draft = directories.begin(recipe.name);
  try {
    const workspace = layOut(draft, recipe, owner);
    const requests: NetworkRequest[] = [];
    const hosts = registries[recipe.language] ?? [];
    const network = {
      hosts,
      registries: { [recipe.language]: hosts },
      onRequest: (request: NetworkRequest) => void (requests.length < MOST_REQUESTS && requests.push(request)),
    };
    const argv = ["bash", "-e", "-o", "pipefail", "-c", recipe.command];
    const command = { argv, workspace, ...base, env: { ...SETTINGS, ...base.env }, network };
    const result = await sandbox.run(command, roomFor(parts.limits), signal);
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
      packages: packagesIn(workspace, recipe),
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

const MOST_REQUESTS = 2_000;

function layOut(draft: string, { files }: Recipe, owner: Owner | null): string {
  const workspace = join(draft, "files");
  const own = (path: string) => owner && chownSync(path, owner.uid, owner.gid);
  mkdirSync(workspace);
  own(workspace);
  for (const { path, content } of files) {
    const parents = path
      .split("/")
      .slice(0, -1)
      .map((_, index, names) => names.slice(0, index + 1).join("/"));
    for (const parent of parents) {
      const directory = join(workspace, parent);
      if (lstatSync(directory, { throwIfNoEntry: false })) continue;
      mkdirSync(directory);
      own(directory);
    }
    writeFileSync(join(workspace, path), content);
    own(join(workspace, path));
  }
  return workspace;
}

/** Installing needs more than a test does. */
const roomFor = (limits: SandboxLimits): SandboxLimits => ({
  ...limits,
  memoryMb: Math.max(limits.memoryMb, 2_048),
  diskMb: Math.max(limits.diskMb, 4_096),
  timeoutMs: Math.max(limits.timeoutMs, 600_000),
  pids: Math.max(limits.pids, 256),
});

/** Packages write into what will be shown to every sandbox: it must still be what the recipe made. */
function whatIsWrong(workspace: string, { fills, language, name }: Recipe, base: Base): string | null {
  const place = join(workspace, fills);
  if (!lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) return `${name} has no ${fills} after its build`;
  if (language !== "python") return null;
  const home = /^home *= *(.+)$/m.exec(readFileSync(join(place, "pyvenv.cfg"), "utf8"))?.[1]?.trim() ?? "";
  const isKnown = dirname(home) === "/usr" || base.mounts.some(({ to }) => home.startsWith(`${to}/`));
  return isKnown ? null : `a package replaced pyvenv.cfg: it names ${home} as its interpreter`;
}

function packagesIn(workspace: string, { language, fills }: Recipe): Record<string, string> {
  if (language === "javascript") return installedModules(join(workspace, fills));
  if (language === "go") return modulesOf(join(workspace, fills));
  const library = join(workspace, fills, "lib");
  const sites = readdirSync(library).map((name) => join(library, name, "site-packages"));
  return Object.fromEntries([...installedPackages(sites)].sort());
}
