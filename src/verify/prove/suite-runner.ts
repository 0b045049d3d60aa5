import type { TestReport } from "../../domain/test-report.ts";
import type { Language, Toolchain } from "../../languages/language.ts";
import { runTests, type TestRequest } from "../../languages/run-tests.ts";
import { type TracedRun, traceTests } from "../../languages/trace-tests.ts";
import type { RunVaried } from "../flakes/find-flakes.ts";
import { canShuffle, variedRuns } from "../flakes/run-varied.ts";
import type { ProveParts } from "./prove-parts.ts";

type RunnerParts = Pick<ProveParts, "artifacts" | "sandbox" | "limits" | "checkout" | "signal" | "onProgress">;

/** Runs the suite of any tree of the project, each time in a clean checkout and as that tree says. */
export class SuiteRunner {
  readonly language: Language;
  readonly #parts: RunnerParts;
  readonly #toolchain: Toolchain;

  constructor(parts: RunnerParts, language: Language, toolchain: Toolchain) {
    this.language = language;
    this.#parts = parts;
    this.#toolchain = toolchain;
  }

  /** Null when the tree has nothing that could be run as tests. */
  async run(what: string, tree: string): Promise<TestReport | null> {
    return this.hasTests(tree) ? runTests(await this.#prepare(what, tree)) : null;
  }

  async runFiles(what: string, tree: string, files: string[]): Promise<TestReport> {
    return runTests({ ...(await this.#prepare(what, tree)), files });
  }

  /** Runs the suite once more, and watches which of these files' lines it runs. */
  async trace(tree: string, paths: string[], read: (path: string) => string | null): Promise<TracedRun> {
    return traceTests({ ...(await this.#prepare("them again, to see which lines they run", tree)), paths, read });
  }

  /** Runs of one tree under other conditions. */
  varied(what: string, tree: string): RunVaried {
    const { sandbox, limits, signal } = this.#parts;
    const { language } = this;
    const cleanWorkspace = async () => {
      this.#parts.onProgress(`running ${what}`);
      return this.#parts.checkout("suite", tree);
    };
    const toolchain = this.toolchainFor(tree);
    return variedRuns({ language, sandbox, limits, signal, toolchain, cleanWorkspace });
  }

  canShuffle(tree: string): boolean {
    return canShuffle(this.toolchainFor(tree).runner);
  }

  async #prepare(what: string, tree: string): Promise<TestRequest> {
    const { sandbox, limits, signal } = this.#parts;
    this.#parts.onProgress(`running ${what}`);
    const workspace = await this.#parts.checkout("suite", tree);
    const { language } = this;
    return { language, sandbox, limits, workspace, toolchain: this.toolchainFor(tree), files: [], signal };
  }

  hasTests(tree: string): boolean {
    if (this.toolchainFor(tree).runner === "script") return true;
    return this.#parts.artifacts.list(tree).some(({ path }) => this.language.isTestFile(path));
  }

  toolchainFor(tree: string): Toolchain {
    const read = (path: string) => this.#parts.artifacts.readFile(tree, path)?.toString("utf8") ?? null;
    return this.language.toolchainFor?.(this.#toolchain, read) ?? this.#toolchain;
  }
}
