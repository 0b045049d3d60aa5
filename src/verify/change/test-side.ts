import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import { isTestSupport } from "../locks/test-config.ts";
import { importedAs, importedFiles } from "./imported-files.ts";

/** Both trees of a change as one: paths of either, and texts as they are now or were. */
export interface ProjectFiles {
  paths: readonly string[];
  read(path: string): string | null;
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
): Promise<Map<string, "test" | "test-support">> {
  const sides = new TestSides(parsers, files, isTestFile);
  const found = new Map<string, "test" | "test-support">();
  for (const path of changed) {
    const side = await sides.of(path);
    if (side) found.set(path, side);
  }
  return found;
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
    if (grammarOf(path) === null)
      return (await this.#standsAmongTests(path)) && !this.#isNamedByCode(path) ? "test-support" : null;
    const names = importedAs(path);
    const { byCode, byTests } = this.#importsOfProject();
    if (names.some((name) => byCode.has(name))) return null;
    if (isNamed && (await this.#holdsTests(path))) return "test";
    if (await this.#isInFolderOfTests(path)) return "test-support";
    const isHelper = !isNamed && names.some((name) => byTests.has(name)) && !hasTestFolder(path);
    return isHelper && !this.#isOfPackage(path) ? "test-support" : null;
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

  #isNamedByCode(path: string): boolean {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return this.#importsOfProject().texts.some((text) => text.includes(name));
  }

  #importsOfProject() {
    if (this.#imports) return this.#imports;
    const found = { byCode: new Set<string>(), byTests: new Set<string>(), texts: [] as string[] };
    for (const path of this.#files.paths) {
      const text = grammarOf(path) === null ? null : this.#files.read(path);
      if (text === null) continue;
      const isTest = this.#isTestFile(path) || isTestSupport(path) || /(^|\/)conftest\.py$/.test(path);
      const imports = isTest ? found.byTests : found.byCode;
      for (const name of importedFiles(path, text)) imports.add(name);
      if (!isTest) found.texts.push(text);
    }
    this.#imports = found;
    return found;
  }
}

/** From the outermost to the innermost. */
const foldersOf = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, index, names) => names.slice(0, index + 1).join("/"));

const hasTestFolder = (path: string): boolean => foldersOf(path).some((folder) => isTestSupport(`${folder}/x`));
