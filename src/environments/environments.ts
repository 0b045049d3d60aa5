import { fail, TerminalFailure } from "../domain/failure.ts";
import { nodeItself } from "../languages/javascript/find-node.ts";
import type { Language, Toolchain } from "../languages/language.ts";
import type { Surroundings } from "../languages/languages.ts";
import { basePython, findInterpreters } from "../languages/python/find-python.ts";
import type { ArtifactStore } from "../workspace/artifact-store.ts";
import { type Base, type BuildParts, buildEnvironment } from "./build-environment.ts";
import type { Housing, Recipe, TreeFiles } from "./environment.ts";
import { nodeModulesFit } from "./fits-node.ts";
import { installedPackages, unmetRequirements } from "./fits-python.ts";
import { nearestTag } from "./nearest-tag.ts";
import { nodeNeeds } from "./node-needs.ts";
import { projectMetadata } from "./project-metadata.ts";
import { pythonNeeds } from "./python-needs.ts";
import { plainName } from "./read-pyproject.ts";
import { nodeRecipe, pythonRecipe } from "./recipe.ts";
import { withProject } from "./show-project.ts";

export interface EnvironmentParts extends BuildParts {
  surroundings: Surroundings;
  onProgress(text: string): void;
}

/**
 * What the code of a tree runs in, beside the tree.
 *
 * 1. Packages that are installed already and fit the manifests of the tree are used as they are, and never changed.
 * 2. Otherwise they are installed once for each recipe, under a name made of interpreter, manifest and lockfile.
 * 3. What was built is only ever shown read-only. Two trees with other manifests have two environments.
 */
export class Environments {
  readonly #parts: EnvironmentParts;
  readonly #building = new Map<string, Promise<Housing>>();

  constructor(parts: EnvironmentParts) {
    this.#parts = parts;
  }

  async house(language: Language, directory: string, tree: TreeFiles): Promise<Housing> {
    const found = this.recipe(language, directory, tree);
    return found === null || found.fits ? { kind: "own" } : this.build(found.recipe, found.base);
  }

  /** How this tree's environment would be made, and whether there is no need; null where it asks for no packages. */
  recipe(language: Language, directory: string, tree: TreeFiles): { recipe: Recipe; base: Base; fits: boolean } | null {
    if (language.name === "python") return this.#python(directory, tree);
    return language.name === "go" ? null : this.#node(directory, tree);
  }

  /** Costs a look at a file where the environment is there. What failed a moment ago is only tried again `anew`. */
  build(recipe: Recipe, base: Base, anew = false): Promise<Housing> {
    const known = this.#building.get(recipe.name) ?? this.#build(recipe, base, anew);
    this.#building.set(recipe.name, known);
    return known;
  }

  async #build(recipe: Recipe, base: Base, anew: boolean): Promise<Housing> {
    const { directories, sandbox, clock, onProgress } = this.#parts;
    const directory = directories.files(recipe.name);
    const there = directories.find(recipe.name);
    if (there) {
      directories.use(recipe.name, clock());
      return { kind: "built", record: there, directory };
    }
    if (sandbox.backend !== "bubblewrap") {
      const problem = `the packages of ${recipe.from.join(", ")} are not installed, and only bubblewrap installs them`;
      return { kind: "missing", problem };
    }
    const failed = anew ? null : directories.lastFailure(recipe.name, clock());
    if (failed !== null) return { kind: "missing", problem: `${failed}; \`miracle env build\` tries again` };
    onProgress(`installing the packages of ${recipe.from.slice(0, 3).join(", ")} (${recipe.name})`);
    const built = await buildEnvironment(recipe, base, this.#parts);
    if (!("problem" in built)) return { kind: "built", record: built, directory };
    directories.fail(recipe.name, built.problem, clock());
    return { kind: "missing", ...built };
  }

  /** The same tools for a Python project that seems to be installed, unless it is. */
  async showProject(toolchain: Toolchain, directory: string, tree: TreeFiles): Promise<Toolchain> {
    const project = projectMetadata(tree);
    const { surroundings, directories, clock } = this.#parts;
    const installed = findInterpreters(directory, surroundings.env).flatMap(({ packages }) => packages);
    if (!project || installedPackages(installed).has(plainName(project.name))) return toolchain;
    const version = project.version ?? (await nearestTag(directory));
    return withProject(toolchain, project, version, directories.open(), clock());
  }

  #python(directory: string, tree: TreeFiles) {
    const needs = pythonNeeds(tree);
    const interpreters = findInterpreters(directory, this.#parts.surroundings.env);
    const base = basePython(interpreters);
    if (!needs || !base) return null;
    const used = interpreters.find(({ packages }) => installedPackages(packages).has("pytest"));
    const machine = { python: used?.version ?? base.version };
    const fits = used !== undefined && unmetRequirements(needs, installedPackages(used.packages), machine).length === 0;
    const { mounts, path } = base;
    return { recipe: pythonRecipe(needs, base), base: { mounts, path }, fits };
  }

  #node(directory: string, tree: TreeFiles) {
    const needs = nodeNeeds(tree);
    const { surroundings } = this.#parts;
    if (!needs) return null;
    const recipe = nodeRecipe(needs, surroundings.version);
    return { recipe, base: nodeItself(surroundings), fits: nodeModulesFit(directory, needs) };
  }
}

interface PlainLanguages {
  toolchain(language: Language | null, directory: string): Promise<Toolchain>;
  toolchainWith(language: Language, directory: string, environment: string): Promise<Toolchain>;
}

/** The tools of a tree: with the packages that its own manifests ask for. Without a tree: what is in the directory. */
export async function toolsOfTree(
  languages: PlainLanguages,
  environments: Environments,
  artifacts: Pick<ArtifactStore, "list" | "readFile">,
  { language, directory, tree }: { language: Language | null; directory: string; tree: string },
): Promise<Toolchain> {
  if (!language) return languages.toolchain(null, directory);
  const files = filesOf(artifacts, tree);
  const housing = await environments.house(language, directory, files);
  const toolchain = await housedTools(languages, language, directory, housing);
  return language.name === "python" ? environments.showProject(toolchain, directory, files) : toolchain;
}

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

const withEnvironment = (toolchain: Toolchain, { record }: Housing & { kind: "built" }): Toolchain => ({
  ...toolchain,
  versions: {
    ...toolchain.versions,
    environment: record.name,
    ...(record.left.length > 0 && { note: `not installed: ${record.left.slice(0, 3).join("; ")}` }),
  },
});

export const filesOf = (artifacts: Pick<ArtifactStore, "list" | "readFile">, tree: string): TreeFiles => ({
  paths: artifacts.list(tree).map(({ path }) => path),
  read: (path) => artifacts.readFile(tree, path)?.toString("utf8") ?? null,
});
