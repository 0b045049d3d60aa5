import { createHash } from "node:crypto";
import { fail, TerminalFailure } from "../domain/failure.ts";
import { ENVIRONMENT_FILE } from "../domain/settings/environment-file.ts";
import type { Language, Toolchain } from "../languages/language.ts";
import type { ArtifactStore } from "../workspace/artifact-store.ts";
import type { Housing, TreeFiles } from "./environment.ts";
import type { Environments } from "./environments.ts";

interface PlainLanguages {
  detect(paths: string[]): Language | null;
  toolchain(language: Language | null, directory: string): Promise<Toolchain>;
  toolchainWith(language: Language, directory: string, environment: string): Promise<Toolchain>;
}

/**
 * The tools of a tree: with the packages that its own manifests ask for. What no manifest says, `base` says: a change does
 * not configure what judges it, and no command of it runs where the registry is in reach.
 */
export async function toolsOfTree(
  languages: PlainLanguages,
  environments: Environments,
  artifacts: Pick<ArtifactStore, "list" | "readFile">,
  {
    language,
    directory,
    tree,
    base = tree,
  }: { language: Language | null; directory: string; tree: string; base?: string | undefined },
): Promise<Toolchain> {
  const files = withFileOf(artifacts, base, filesOf(artifacts, tree));
  const used = language ?? languages.detect([...files.paths]);
  if (!used) return languages.toolchain(null, directory);
  const housing = await environments.house(used, directory, files);
  // Where nobody said in which language the work is, all interpreters stay in reach unless packages of one are needed.
  if (!language && housing.kind !== "built") return languages.toolchain(null, directory);
  const housed = await housedTools(languages, used, directory, housing);
  const { variables } = housing.kind === "missing" ? { variables: {} } : environments.file(files);
  const toolchain = { ...housed, env: { ...housed.env, ...variables } };
  return used.name === "python" ? environments.showProject(toolchain, directory, files) : toolchain;
}

const withFileOf = (
  artifacts: Pick<ArtifactStore, "list" | "readFile">,
  base: string,
  files: TreeFiles,
): TreeFiles => ({
  ...files,
  read: (path) =>
    path === ENVIRONMENT_FILE ? (artifacts.readFile(base, path)?.toString("utf8") ?? null) : files.read(path),
});

async function housedTools(
  languages: PlainLanguages,
  language: Language,
  directory: string,
  housing: Housing,
): Promise<Toolchain> {
  if (housing.kind === "own") return languages.toolchain(language, directory);
  if (housing.kind === "built")
    return withEnvironment(await languages.toolchainWith(language, directory, housing.directory), housing);
  const toolchain = await languages.toolchain(language, directory).catch((error: unknown) => {
    if (!(error instanceof TerminalFailure)) throw error;
    throw fail("environment", "environment.missing", `${housing.problem}; ${error.message}`);
  });
  return { ...toolchain, versions: { ...toolchain.versions, missing: housing.problem } };
}

/** What was built, by which commands and in what time: for the journal and the evidence, where the tools are recorded. */
function withEnvironment(toolchain: Toolchain, { record }: Housing & { kind: "built" }): Toolchain {
  const { name, left, locked, packages, scripted, command, durationMs } = record;
  const notes = [
    ...(toolchain.versions.note === undefined ? [] : [toolchain.versions.note]),
    ...(left.length > 0 ? [`not installed: ${left.slice(0, 3).join("; ")}`] : []),
    ...(scripted.length > 0 ? [`install scripts were not run: ${few(scripted)}`] : []),
    ...(locked ? [] : ["no lockfile says which versions: the newest were taken that the manifest allows"]),
  ];
  const all = Object.entries(packages).map(([one, version]) => `${one} ${version}`);
  const hash = createHash("sha256").update(all.join("\n")).digest("hex").slice(0, 16);
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : "";
  return {
    ...toolchain,
    versions: {
      ...toolchain.versions,
      environment: name,
      packages: `${all.slice(0, MOST_NAMED).join(", ")}${more} (sha256 ${hash})`,
      built: `in ${(durationMs / 1000).toFixed(1)} s by ${command.replaceAll("\n", "; ").slice(0, LONGEST_COMMAND)}`,
      ...(notes.length > 0 && { note: notes.join("; ") }),
    },
  };
}

const few = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more` : names.join(", ");

const MOST_NAMED = 100;
const LONGEST_COMMAND = 500;

export const filesOf = (artifacts: Pick<ArtifactStore, "list" | "readFile">, tree: string): TreeFiles => ({
  paths: artifacts.list(tree).map(({ path }) => path),
  read: (path) => artifacts.readFile(tree, path)?.toString("utf8") ?? null,
});
