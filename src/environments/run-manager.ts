import { chownSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SandboxLimits } from "../domain/settings/settings.ts";
import type { CommandResult, Mount, NetworkRequest, Sandbox } from "../sandbox/sandbox.ts";
import type { Owner } from "../workspace/artifact-store.ts";
import type { Recipe } from "./environment.ts";
import type { EnvironmentDirectories } from "./environment-directories.ts";

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

/** Runs a line of the shell beside these files, where the registry of the language is in reach and nothing else. */
export async function runManager(
  draft: string,
  { language, files, command: line }: Pick<Recipe, "language" | "files" | "command">,
  base: Base,
  { sandbox, registries, signal, owner, limits }: BuildParts,
): Promise<{ workspace: string; result: CommandResult; requests: NetworkRequest[] }> {
  const workspace = layOut(draft, { files }, owner);
  const requests: NetworkRequest[] = [];
  const hosts = registries[language] ?? [];
  const network = {
    hosts,
    registries: { [language]: hosts },
    onRequest: (request: NetworkRequest) => void (requests.length < MOST_REQUESTS && requests.push(request)),
  };
  const argv = ["bash", "-e", "-o", "pipefail", "-c", line];
  const command = { argv, workspace, ...base, env: { ...SETTINGS, ...base.env }, network };
  return { workspace, result: await sandbox.run(command, roomFor(limits), signal), requests };
}

const MOST_REQUESTS = 2_000;

function layOut(draft: string, { files }: Pick<Recipe, "files">, owner: Owner | null): string {
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
