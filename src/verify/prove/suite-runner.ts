import { availableParallelism } from "node:os";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { LanguageName } from "../../domain/plan/spec.ts";
import { runsInPlace } from "../../domain/settings/settings.ts";
import type { Language, TestRunOptions, Toolchain } from "../../languages/language.ts";
import { runTests, type TestRequest } from "../../languages/run-tests.ts";
import { type TracedRun, traceTests } from "../../languages/trace-tests.ts";
import { grammarOf } from "../../syntax/parse.ts";
import type { RunVaried } from "../flakes/find-flakes.ts";
import { canShuffle } from "../flakes/run-varied.ts";
import type { OwnSuite } from "../measure/mutate-tree.ts";
import { mergeReports, mergeTraces } from "./merge-reports.ts";
import type { ProveParts } from "./prove-parts.ts";
import { Slots } from "./slots.ts";

type RunnerParts = Pick<ProveParts, "artifacts" | "sandbox" | "limits" | "checkout" | "signal" | "onProgress">;

/** `timeoutMs`: instead of the usual limit. */
type FileOptions = TestRunOptions & { timeoutMs?: number };

const MOST_AT_ONCE = 4;

/** A language with the tools that run its tests. */
export interface Suite {
  language: Language;
  /** The tools, with the packages that this tree asks for. */
  inTree(tree: string): Toolchain;
}

/**
 * Runs the suite of any tree of the project, each time in a clean checkout and as that tree says; several at once. A
 * project may have tests in several languages: they are run one after the other and told together.
 */
export class SuiteRunner {
  /** The language that the change is about. */
  readonly language: Language;
  readonly #parts: RunnerParts;
  readonly #first: Suite;
  readonly #suites: readonly Suite[];
  readonly #slots: Slots;
  /** What a tree says is asked once. */
  readonly #known = new Map<string, Promise<TestReport | null>>();
  readonly #traced = new Map<string, Promise<TracedRun>>();

  constructor(parts: RunnerParts, first: Suite, others: readonly Suite[] = []) {
    this.language = first.language;
    this.#parts = parts;
    this.#first = first;
    this.#suites = [first, ...others];
    // Without isolation two runs would meet: in ports, in temporary files.
    const isIsolated = !runsInPlace(parts.sandbox.backend);
    this.#slots = new Slots(isIsolated ? Math.min(availableParallelism(), MOST_AT_ONCE) : 1);
  }

  /** Null when the tree has nothing that could be run as tests. */
  run(what: string, tree: string): Promise<TestReport | null> {
    const known = this.#known.get(tree) ?? this.#runWhole(what, tree);
    this.#known.set(tree, known);
    return known;
  }

  /** The same as `run`, though it is known what the tree says. */
  repeat(what: string, tree: string): Promise<TestReport | null> {
    return this.#runWhole(what, tree);
  }

  async #runWhole(what: string, tree: string): Promise<TestReport | null> {
    const suites = this.#with(tree);
    return suites.length > 0 ? mergeReports(await this.#prepared(what, tree, suites, runTests)) : null;
  }

  runFiles(what: string, tree: string, files: string[], options: FileOptions = {}): Promise<TestReport> {
    return this.#run(what, tree, files, options);
  }

  /** Runs the suite once more, or these test files of it, and watches which of these paths' lines they run. */
  trace(what: string, tree: string, paths: string[], files: string[] = []): Promise<TracedRun> {
    const key = JSON.stringify([tree, [...paths].sort(), files]);
    const known = this.#traced.get(key) ?? this.#trace(what, tree, paths, files);
    this.#traced.set(key, known);
    return known;
  }

  async #trace(what: string, tree: string, paths: string[], files: string[]): Promise<TracedRun> {
    const read = (path: string) => this.#parts.artifacts.readFile(tree, path)?.toString("utf8") ?? null;
    const own = ({ language }: Pick<Suite, "language">) => files.filter((file) => language.isTestFile(file));
    const traced = (request: TestRequest) => traceTests({ ...request, files: own(request), paths, read });
    const suites = this.#with(tree).filter((suite) => files.length === 0 || own(suite).length > 0);
    return mergeTraces(await this.#prepared(what, tree, suites.length > 0 ? suites : this.#suites.slice(0, 1), traced));
  }

  /** Runs of one tree under other conditions. */
  varied(what: string, tree: string): RunVaried {
    return (vary, files) => this.#run(what, tree, [...files], vary ? { vary } : {});
  }

  canShuffle(tree: string): boolean {
    return this.#suites.every((suite) => canShuffle(this.#toolchainFor(tree, suite).runner));
  }

  /** Each file is run by the language that takes it for a test; no file: all of them. */
  async #run(what: string, tree: string, files: string[], { timeoutMs, ...options }: FileOptions): Promise<TestReport> {
    const owner = (file: string) => this.#ownerOf(file);
    const asked = this.#suites.filter((suite) => files.length === 0 || files.some((file) => owner(file) === suite));
    const reports = await this.#prepared(what, tree, asked, (request) => {
      const own = files.filter((file) => owner(file)?.language === request.language);
      const limits = { ...request.limits, ...(timeoutMs && { timeoutMs }) };
      return runTests({ ...request, limits, files: own, options });
    });
    return mergeReports(reports);
  }

  #prepared<T>(
    what: string,
    tree: string,
    suites: readonly Suite[],
    run: (request: TestRequest) => Promise<T>,
  ): Promise<T[]> {
    const { sandbox, limits, signal } = this.#parts;
    return this.#slots.use(async (slot) => {
      this.#parts.onProgress(`running ${what}`);
      const done: T[] = [];
      for (const suite of suites) {
        const { language } = suite;
        const workspace = await this.#parts.checkout(`suite-${slot}`, tree);
        const toolchain = this.#toolchainFor(tree, suite);
        done.push(await run({ language, sandbox, limits, workspace, toolchain, files: [], signal }));
      }
      return done;
    });
  }

  hasTests(tree: string): boolean {
    return this.#with(tree).length > 0;
  }

  #with(tree: string): Suite[] {
    const paths = this.#parts.artifacts.list(tree).map(({ path }) => path);
    return this.#suites.filter(
      (suite) =>
        this.#toolchainFor(tree, suite).runner === "script" || paths.some((path) => suite.language.isTestFile(path)),
    );
  }

  toolchainFor(tree: string): Toolchain {
    return this.#toolchainFor(tree, this.#first);
  }

  /** The language and tools for a file of code; null where none of the suites is in its language. */
  suiteOf(tree: string, path: string): OwnSuite | null {
    const found = this.#suites.find(({ language }) => isCodeOf(language.name, path));
    if (!found) return null;
    const { language } = found;
    const takes = (file: string) => this.#ownerOf(file) === found;
    return { language, toolchain: this.#toolchainFor(tree, found), takes };
  }

  #ownerOf(file: string): Suite | undefined {
    return this.#suites.find(({ language }) => language.isTestFile(file)) ?? this.#suites[0];
  }

  #toolchainFor(tree: string, { language, inTree }: Suite): Toolchain {
    const read = (path: string) => this.#parts.artifacts.readFile(tree, path)?.toString("utf8") ?? null;
    const toolchain = inTree(tree);
    return language.toolchainFor?.(toolchain, read) ?? toolchain;
  }
}

export const NO_TOOLS: Toolchain = { mounts: [], path: [], env: {}, versions: {}, runner: "", script: null };

/** JavaScript and TypeScript are run by the same tools. */
function isCodeOf(name: LanguageName, path: string): boolean {
  const grammar = grammarOf(path);
  if (name === "python" || name === "go") return grammar === name;
  return grammar !== null && grammar !== "python" && grammar !== "go";
}
