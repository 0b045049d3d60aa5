import { TerminalFailure } from "../domain/failure.ts";
import { ENVIRONMENT_FILE, type EnvironmentFile } from "../domain/settings/environment-file.ts";
import { anyGo, moduleCache } from "../languages/go/find-go.ts";
import { nodeItself } from "../languages/javascript/find-node.ts";
import type { Language, Toolchain } from "../languages/language.ts";
import type { Surroundings } from "../languages/languages.ts";
import { basePython, findInterpreters } from "../languages/python/find-python.ts";
import { type ManifestEdit, withPackage } from "./add-package.ts";
import { buildEnvironment } from "./build-environment.ts";
import type { EnvironmentRecord, Housing, Recipe, TreeFiles } from "./environment.ts";
import { packageMissing } from "./explain-build.ts";
import { nodeModulesFit } from "./fits-node.ts";
import { installedPackages, unmetRequirements } from "./fits-python.ts";
import { goNeeds, modulesIn } from "./go-needs.ts";
import { lockedVersions } from "./lock-versions.ts";
import { type More, missingPackages, moreOf } from "./more-of-project.ts";
import { nearestTag } from "./nearest-tag.ts";
import { nodeNeeds } from "./node-needs.ts";
import { askIndex, type PackageFacts } from "./package-facts.ts";
import { projectMetadata } from "./project-metadata.ts";
import { type PythonNeeds, pythonNeeds, withoutSpare } from "./python-needs.ts";
import { plainName } from "./read-pyproject.ts";
import { goRecipe, nodeRecipe, pythonRecipe } from "./recipe.ts";
import type { Base, BuildParts } from "./run-manager.ts";
import { withProject } from "./show-project.ts";
import type { WantedPackage } from "./wanted-package.ts";
import { writeLock } from "./write-lock.ts";

export interface EnvironmentParts extends BuildParts {
  surroundings: Surroundings;
  /** Reads `.miracle/environment.yaml`; throws TerminalFailure with the place of a mistake. */
  parseFile(text: string): EnvironmentFile;
  onProgress(text: string): void;
}

/** How the environment of a tree would be made. */
export interface FoundRecipe {
  recipe: Recipe;
  base: Base;
  /** There is no need: what is installed fits. */
  fits: boolean;
  /** Without a package that cannot be had; null where nothing runs without it. */
  lighter?(name: string): FoundRecipe | null;
}

/** Files of a tree that a new package changes. */
export interface AddedPackage {
  facts: PackageFacts;
  files: ManifestEdit[];
  /** A lockfile that only a program which is not ours could write anew. */
  stale: string | null;
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
  readonly #looked = new Map<string, ReturnType<Environments["lookUp"]>>();

  constructor(parts: EnvironmentParts) {
    this.#parts = parts;
  }

  async house(language: Language, directory: string, tree: TreeFiles): Promise<Housing> {
    try {
      const problem = missingSystem(this.file(tree).system);
      if (problem !== null) return { kind: "missing", problem };
      const found = this.recipe(language, directory, tree);
      return found === null || found.fits ? { kind: "own" } : await this.build(found);
    } catch (error) {
      // A tree with a mistake in its file is a tree whose environment cannot be had.
      if (error instanceof TerminalFailure && error.failure.code === "config.invalid")
        return { kind: "missing", problem: error.message };
      throw error;
    }
  }

  /** What the tree says itself, beyond its manifests. */
  file({ read }: TreeFiles): EnvironmentFile {
    return this.#parts.parseFile(read(ENVIRONMENT_FILE) ?? "");
  }

  /** How this tree's environment would be made, and whether there is no need; null where it asks for no packages. */
  recipe(language: Language, directory: string, tree: TreeFiles): FoundRecipe | null {
    const more = moreOf(this.file(tree), tree);
    const found =
      language.name === "python"
        ? this.#python(directory, tree, more)
        : language.name === "go"
          ? this.#go(tree, more)
          : this.#node(directory, tree, more);
    return found && { ...found, fits: found.fits && more.lines.length === 0 };
  }

  /**
   * Costs a look at a file where the environment is there. What failed a moment ago is only tried again `anew`. Where a package
   * cannot be had that only tests or developers need, the others are installed without it.
   */
  async build(found: FoundRecipe, anew = false): Promise<Housing> {
    const { recipe, base, lighter } = found;
    const known = this.#building.get(recipe.name) ?? this.#build(recipe, base, anew);
    this.#building.set(recipe.name, known);
    const housing = await known;
    const rest = housing.kind === "missing" ? lighter?.(packageMissing(housing.problem)) : null;
    return rest ? this.build(rest, anew) : housing;
  }

  /** What was built of it, if anything was. */
  built({ recipe, lighter }: FoundRecipe): EnvironmentRecord | null {
    const { directories, clock } = this.#parts;
    const there = directories.find(recipe.name);
    if (there) return asAsked(there, recipe);
    const rest = lighter?.(packageMissing(directories.lastFailure(recipe.name, clock()) ?? ""));
    return rest ? this.built(rest) : null;
  }

  async #build(recipe: Recipe, base: Base, anew: boolean): Promise<Housing> {
    const { directories, sandbox, clock, onProgress } = this.#parts;
    const directory = directories.files(recipe.name);
    const there = directories.find(recipe.name);
    if (there) {
      directories.use(recipe.name, clock());
      return { kind: "built", record: asAsked(there, recipe), directory };
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

  /** What the index says of a package; asked once. */
  lookUp(wanted: WantedPackage, directory: string): Promise<PackageFacts | { problem: string }> {
    const key = JSON.stringify(wanted);
    const known = this.#looked.get(key) ?? this.#askIndex(wanted, directory);
    this.#looked.set(key, known);
    return known;
  }

  /** The manifest and lockfile of a tree with one package more. Nothing of it is installed. */
  async withPackage(
    wanted: WantedPackage,
    directory: string,
    tree: TreeFiles,
  ): Promise<AddedPackage | { problem: string }> {
    const facts = await this.lookUp(wanted, directory);
    if ("problem" in facts) return facts;
    const manifest = withPackage(tree, wanted, facts);
    if ("problem" in manifest) return manifest;
    const { path, content } = manifest;
    const paths = tree.paths.includes(path) ? tree.paths : [...tree.paths, path];
    const edited = { paths, read: (other: string) => (other === path ? content : tree.read(other)) };
    if (wanted.language !== "javascript") {
      const stale = lockedVersions(tree)?.path ?? null;
      return { facts, files: [manifest], stale };
    }
    const lock = await writeLock(edited, nodeItself(this.#parts.surroundings), this.#parts);
    if (lock && "problem" in lock) return lock;
    return { facts, files: lock ? [manifest, lock] : [manifest], stale: null };
  }

  async #askIndex(wanted: WantedPackage, directory: string): Promise<PackageFacts | { problem: string }> {
    const { surroundings } = this.#parts;
    if (wanted.language === "javascript") return askIndex(wanted, nodeItself(surroundings), this.#parts);
    const python = basePython(findInterpreters(directory, surroundings.env));
    return askIndex(wanted, { mounts: python?.mounts ?? [], path: python?.path ?? [] }, this.#parts);
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

  #python(directory: string, tree: TreeFiles, more: More): FoundRecipe | null {
    const asked = pythonNeeds(tree);
    const interpreters = findInterpreters(directory, this.#parts.surroundings.env);
    const base = basePython(interpreters);
    if (!base || (!asked && more.lines.length === 0)) return null;
    const needs = asked ?? { requirements: [], spare: [], constraints: [], from: [], left: [] };
    const used = interpreters.find(({ packages }) => installedPackages(packages).has("pytest"));
    const machine = { python: used?.version ?? base.version };
    const fits = used !== undefined && unmetRequirements(needs, installedPackages(used.packages), machine).length === 0;
    const { mounts, path } = base;
    const from = (some: PythonNeeds): FoundRecipe => ({
      recipe: pythonRecipe(some, base, more),
      base: { mounts, path },
      fits,
      lighter: (name) => {
        const rest = withoutSpare(some, name);
        return rest && from(rest);
      },
    });
    return from(needs);
  }

  #node(directory: string, tree: TreeFiles, more: More) {
    const needs = nodeNeeds(tree);
    const { surroundings } = this.#parts;
    if (!needs && more.lines.length === 0) return null;
    const recipe = nodeRecipe(needs, surroundings.version, more);
    return { recipe, base: nodeItself(surroundings), fits: needs !== null && nodeModulesFit(directory, needs) };
  }

  #go(tree: TreeFiles, more: More) {
    const needs = goNeeds(tree);
    const { env } = this.#parts.surroundings;
    const found = anyGo(env);
    if (!found || (!needs && more.lines.length === 0)) return null;
    const { GOPROXY: _off, GOFLAGS: _flags, ...own } = found.env;
    const base = { mounts: found.mounts, path: found.path, env: own };
    const fits = needs !== null && modulesIn(moduleCache(env), needs.modules).length === needs.modules.length;
    return { recipe: goRecipe(needs, found.versions.go ?? "", more), base, fits };
  }
}

/** The same packages may have been asked for in other words: which files say it, and what of them was not taken. */
const asAsked = (record: EnvironmentRecord, { from, left }: Recipe): EnvironmentRecord => ({ ...record, from, left });

/** One line where the machine lacks what the project says it needs. */
function missingSystem(names: readonly string[]): string | null {
  const missing = missingPackages(names).join(" ");
  return missing === "" ? null : `${ENVIRONMENT_FILE} needs ${missing}, not installed here: apt-get install ${missing}`;
}
