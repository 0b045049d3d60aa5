import { join } from "node:path";
import type { SandboxLimits } from "../domain/settings/settings.ts";
import type { Languages } from "../engine/hands/parts.ts";
import type { Environments } from "../environments/environments.ts";
import { openLanguages } from "../languages/open-languages.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { ArtifactStore, Owner } from "../workspace/artifact-store.ts";
import type { CheckoutDirectories } from "../workspace/checkout-directory.ts";

export interface HousingParts {
  artifacts: ArtifactStore;
  sandbox: Sandbox;
  limits: SandboxLimits;
  owner: Owner | null;
  environments: string;
  registries: Partial<Record<string, string[]>> | undefined;
  signal: AbortSignal;
  onProgress(text: string): void;
}

/** Where environments are kept: sandboxed code of another user must reach them. */
export const environmentsPlace = (dataDirectory: string, { root }: CheckoutDirectories, owner: Owner | null): string =>
  join(owner === null ? dataDirectory : root, "environments");

/** Languages whose tools for a tree have the packages that the tree asks for. Nothing is loaded before the first tree. */
export function housedLanguages(
  surroundings: NonNullable<Parameters<typeof openLanguages>[0]>,
  needs: Parameters<typeof openLanguages>[1],
  parts: HousingParts,
): Languages {
  const languages = openLanguages(surroundings, needs);
  let opened: Promise<Environments> | undefined;
  const told = new Set<string | undefined>();
  return {
    ...languages,
    toolchain: async (language, directory, tree) => {
      if (tree === undefined) return languages.toolchain(language, directory);
      const { toolsOfTree } = await import("../environments/tools-of-tree.ts");
      opened ??= openEnvironments(surroundings, parts);
      const toolchain = await toolsOfTree(languages, await opened, parts.artifacts, { language, directory, tree });
      const { missing } = toolchain.versions;
      if (missing !== undefined && !told.has(missing)) parts.onProgress(missing);
      told.add(missing);
      return toolchain;
    },
  };
}

export async function openEnvironments(
  surroundings: NonNullable<Parameters<typeof openLanguages>[0]>,
  { environments, registries = {}, ...parts }: Omit<HousingParts, "artifacts">,
): Promise<Environments> {
  const { Environments } = await import("../environments/environments.ts");
  const { EnvironmentDirectories } = await import("../environments/environment-directories.ts");
  const { parseEnvironmentFile } = await import("../config/environment-file.ts");
  const directories = new EnvironmentDirectories(environments);
  const parseFile = parseEnvironmentFile;
  return new Environments({ ...parts, directories, registries, surroundings, parseFile, clock: Date.now });
}
