import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import { isTestSupport, isWholeConfig } from "../locks/test-config.ts";
import { importedAs, importedFiles } from "./imported-files.ts";
import { speaksOf } from "./spoken-of.ts";

/** Both trees of a change as one: paths of either, and texts as they are now or were. */
export interface ProjectFiles {
  paths: readonly string[];
  read(path: string): string | null;
}

/** Whose changed files are. */
export interface Sides {
  tests: ReadonlyMap<string, "test" | "test-support">;
  /** Files that code imports or speaks of, though they look like a test's. */
  code: ReadonlySet<string>;
}

/**
 * Which of these paths belong to the tests. A name or a folder only proposes: code is a test when it holds tests, and a
 * helper of theirs when it stands in a folder that holds some, or they import it; and neither when code imports it.
 * `app/specs/price.py` and `ab_test.py` are sources.
 */
export async function testSide(
  parsers: SyntaxParsers,
  files: ProjectFiles,
  isTestFile: (path: string) => boolean,
  changed: readonly string[],
): Promise<Sides> {
  const sides = new TestSides(parsers, files, isTestFile);
  const tests = new Map<string, "test" | "test-support">();
  const code = new Set<string>();
  for (const path of changed) {
    if ((isTestSupport(path) || isWholeConfig(path)) && sides.isCodes(path)) code.add(path);
    const side = await sides.of(path);
    if (side) tests.set(path, side);
  }
  return { tests, code };
}

class TestSides {
  readonly #parsers: SyntaxParsers;
  readonly #files: ProjectFiles;
  readonly #isTestFile: (path: string) => boolean;
  readonly #holding = new Map<string, Promise<boolean>>();
  #imports: { byCode: Set<string>; byTests: Set<string>; texts: string[] } | undefined;

  constructor(parsers: SyntaxParsers, files: ProjectFiles, isTestFile: (path: string) => boolean) {
    this.#parsers = parsers;
    this.#files = files;
    this.#isTestFile = isTestFile;
  }

  async of(path: string): Promise<"test" | "test-support" | null> {
    const isNamed = this.#isTestFile(path);
    if (!isNamed && !isTestSupport(path)) return null;
    // Types are checked, not run.
    if (/\.test-d\.[cm]?tsx?$/.test(path)) return "test";
    if (isDeployed(path) || this.isCodes(path)) return null;
    if (grammarOf(path) === null) return (await this.#standsAmongTests(path)) ? "test-support" : null;
    const { byTests } = this.#importsOfProject();
    const isImported = importedAs(path).some((name) => byTests.has(name));
    if (isNamed && (await this.#holdsTests(path))) return "test";
    // Every package of Go has its tests beside it.
    if (path.endsWith(".go") && !path.includes("testdata/")) return isImported ? "test-support" : null;
    if (await this.#isInFolderOfTests(path)) return "test-support";
    const isHelper = !isNamed && isImported && !hasTestFolder(path);
    return isHelper && !this.#isOfPackage(path) ? "test-support" : null;
  }

  /** Whether code imports it, a manifest gives it to others, or code speaks of it where it is data. */
  isCodes(path: string): boolean {
    const { byCode, texts } = this.#importsOfProject();
    if (grammarOf(path) === null) {
      const folders = path.split("/").filter((name) => isTestSupport(`${name}/x`));
      return texts.some((text) => speaksOf(text, path, folders));
    }
    const isInPattern = foldersOf(path).some((folder) => byCode.has(`${folder}/*`)) && !this.#isTestFile(path);
    return isInPattern || importedAs(path).some((name) => byCode.has(name));
  }

  /** What stands in a package is there for whoever imports the package: `click/testing.py`. */
  #isOfPackage(path: string): boolean {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    return path.endsWith(".py") && folder !== "" && this.#files.paths.includes(`${folder}__init__.py`);
  }

  /** Also before the change: a file whose tests were taken away was one of tests. */
  #holdsTests(path: string): Promise<boolean> {
    const known = this.#holding.get(path) ?? this.#readTests(path);
    this.#holding.set(path, known);
    return known;
  }

  async #readTests(path: string): Promise<boolean> {
    if (path.endsWith("_test.go")) return true;
    const grammar = grammarOf(path);
    const text = this.#files.read(path);
    if (grammar === null || text === null) return false;
    const { root, broken } = await this.#parsers.parse(grammar, text);
    try {
      return broken || TEST_SYNTAX[grammar].tests(text, root).length > 0;
    } catch (error) {
      if (error instanceof RangeError) return true;
      throw error;
    }
  }

  /** In a folder for tests, by its name, with tests somewhere in it. */
  async #isInFolderOfTests(path: string): Promise<boolean> {
    for (const folder of foldersOf(path)) {
      const isNamed =
        isTestSupport(`${folder}/x`) && !isTestSupport(`${folder.slice(0, folder.lastIndexOf("/") + 1)}x`);
      if (isNamed && (await this.#anyTestIn((other) => other.startsWith(`${folder}/`)))) return true;
    }
    return false;
  }

  /** The same, or such a folder stands beside tests: `src/__snapshots__/`. */
  async #standsAmongTests(path: string): Promise<boolean> {
    if (await this.#isInFolderOfTests(path)) return true;
    const first = foldersOf(path).find((folder) => isTestSupport(`${folder}/x`));
    if (first === undefined) return false;
    const around = first.slice(0, first.lastIndexOf("/") + 1);
    return this.#anyTestIn((other) => other.startsWith(around) && !other.slice(around.length).includes("/"));
  }

  async #anyTestIn(isThere: (path: string) => boolean): Promise<boolean> {
    for (const path of this.#files.paths)
      if (isThere(path) && this.#isTestFile(path) && (await this.#holdsTests(path))) return true;
    return false;
  }

  #importsOfProject() {
    if (this.#imports) return this.#imports;
    const found = { byCode: new Set<string>(), byTests: new Set<string>(), texts: [] as string[] };
    for (const path of this.#files.paths) {
      const isManifest = MANIFEST.test(path);
      const text = grammarOf(path) === null && !isManifest ? null : this.#files.read(path);
      if (text === null) continue;
      const isTest = this.#isTestFile(path) || isTestSupport(path) || /(^|\/)conftest\.py$/.test(path);
      const imports = isTest ? found.byTests : found.byCode;
      for (const name of importedFiles(path, text)) imports.add(name);
      if (!isTest && !isManifest) found.texts.push(text);
    }
    this.#imports = found;
    return found;
  }
}

/** How a program is built, started and run elsewhere is no test's, wherever it is written down. */
export const isDeployed = (path: string): boolean => DEPLOYED.test(path);
const DEPLOYED =
  /(^|\/)((Dockerfile|Containerfile)[^/]*|(docker-)?compose[^/]*\.ya?ml|Jenkinsfile|Procfile|\.gitlab-ci\.yml|[^/]*\.tf)$|(^|\/)\.(github|circleci)\//;
const MANIFEST = /(^|\/)(package\.json|pyproject\.toml|setup\.cfg)$/;

/** From the outermost to the innermost. */
const foldersOf = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, index, names) => names.slice(0, index + 1).join("/"));

const hasTestFolder = (path: string): boolean => foldersOf(path).some((folder) => isTestSupport(`${folder}/x`));
