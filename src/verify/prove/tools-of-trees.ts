import { isManifest } from "../../environments/manifest-files.ts";
import type { Language, Toolchain } from "../../languages/language.ts";
import type { ProveParts } from "./prove-parts.ts";

export interface ToolsOfTrees {
  /** Of the result. */
  toolchain: Toolchain;
  /** Of any tree that is made of the two: with the packages of the side whose manifests it has. */
  inTree(tree: string): Toolchain;
  /** Why the packages of a side could not be installed. */
  missing: string[];
}

/** The tools for both sides of a change. Where the manifests are the same, so are the tools. */
export async function toolsOfTrees(
  { languages, artifacts }: Pick<ProveParts, "languages" | "artifacts">,
  language: Language | null,
  directory: string,
  { base, result }: { base: string | null; result: string },
): Promise<ToolsOfTrees> {
  const manifests = (tree: string): string =>
    artifacts
      .list(tree)
      .filter(({ path }) => isManifest(path))
      .map(({ path, id }) => `${path} ${id}`)
      .join("\n");
  const toolchain = await languages.toolchain(language, directory, result, base ?? result);
  const old = base === null ? null : manifests(base);
  const before =
    base === null || old === null || old === manifests(result)
      ? toolchain
      : await languages.toolchain(language, directory, base, base).catch(() => toolchain);
  const missing = [before, toolchain].flatMap(({ versions }) => versions.missing ?? []);
  return {
    toolchain: before === toolchain ? toolchain : withBoth(toolchain, before),
    inTree: before === toolchain ? () => toolchain : (tree) => (manifests(tree) === old ? before : toolchain),
    missing: [...new Set(missing)],
  };
}

const withBoth = (toolchain: Toolchain, { versions: { environment } }: Toolchain): Toolchain => ({
  ...toolchain,
  versions: { ...toolchain.versions, ...(environment !== undefined && { environmentBefore: environment }) },
});
