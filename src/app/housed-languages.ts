import { join } from "node:path";
import type { SandboxLimits } from "../domain/settings/settings.ts";
import type { Languages, Packages } from "../engine/hands/parts.ts";
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
  /** The tree that a task starts from, once it is known. */
  base?: () => string | undefined;
  onProgress(text: string): void;
}

/** Where environments are kept: sandboxed code of another user must reach them. */
export const environmentsPlace = (dataDirectory: string, { root }: CheckoutDirectories, owner: Owner | null): string =>
  join(owner === null ? dataDirectory : root, "environments");

/**
 * Languages whose tools for a tree have the packages that the tree asks for, and the indexes where these come from.
 * Nothing is loaded before the first tree.
 */
export function housedLanguages(
  surroundings: NonNullable<Parameters<typeof openLanguages>[0]>,
  needs: Parameters<typeof openLanguages>[1],
  parts: HousingParts,
): Languages & { packagesFor(directory: string): Packages } {
  const languages = openLanguages(surroundings, needs);
  let opened: Promise<Environments> | undefined;
  const environments = () => {
    opened ??= openEnvironments(surroundings, parts);
    return opened;
  };
  const told = new Set<string | undefined>();
  const toolchain: Languages["toolchain"] = async (language, directory, tree, base = parts.base?.()) => {
    if (tree === undefined) return languages.toolchain(language, directory);
    const { toolsOfTree } = await import("../environments/tools-of-tree.ts");
    const found = await toolsOfTree(languages, await environments(), parts.artifacts, {
      language,
      directory,
      tree,
      base,
    });
    const { missing } = found.versions;
    if (missing !== undefined && !told.has(missing)) parts.onProgress(missing);
    told.add(missing);
    return found;
  };
  const packagesFor = (directory: string): Packages => ({
    describe: async (wanted) => {
      const { describeFacts } = await import("../environments/package-facts.ts");
      const facts = await (await environments()).lookUp(wanted, directory);
      return "problem" in facts ? [`${wanted.name}: ${facts.problem}`] : describeFacts(facts, Date.now());
    },
    add: async (wanted, tree) => {
      const { filesOf } = await import("../environments/tools-of-tree.ts");
      return (await environments()).withPackage(wanted, directory, filesOf(parts.artifacts, tree));
    },
  });
  return { ...languages, toolchain, packagesFor };
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
