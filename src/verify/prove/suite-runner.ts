import { availableParallelism } from "node:os";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { Language, TestRunOptions, Toolchain } from "../../languages/language.ts";
import { runTests, type TestRequest } from "../../languages/run-tests.ts";
import { type TracedRun, traceTests } from "../../languages/trace-tests.ts";
import type { RunVaried } from "../flakes/find-flakes.ts";
import { canShuffle } from "../flakes/run-varied.ts";
import type { ProveParts } from "./prove-parts.ts";
import { Slots } from "./slots.ts";

type RunnerParts = Pick<ProveParts, "artifacts" | "sandbox" | "limits" | "checkout" | "signal" | "onProgress">;

/** `timeoutMs`: instead of the usual limit. */
type FileOptions = TestRunOptions & { timeoutMs?: number };

const MOST_AT_ONCE = 4;

/** Runs the suite of any tree of the project, each time in a clean checkout and as that tree says; several at once. */
export class SuiteRunner {
  readonly language: Language;
  readonly #parts: RunnerParts;
  readonly #toolchain: Toolchain;
  readonly #slots: Slots;

  constructor(parts: RunnerParts, language: Language, toolchain: Toolchain) {
    this.language = language;
    this.#parts = parts;
    this.#toolchain = toolchain;
    // Without isolation two runs would meet: in ports, in temporary files.
    const isIsolated = parts.sandbox.backend !== "process";
    this.#slots = new Slots(isIsolated ? Math.min(availableParallelism(), MOST_AT_ONCE) : 1);
  }

  /** Null when the tree has nothing that could be run as tests. */
  async run(what: string, tree: string): Promise<TestReport | null> {
    return this.hasTests(tree) ? this.#prepared(what, tree, runTests) : null;
  }

  runFiles(
    what: string,
    tree: string,
    files: string[],
    { timeoutMs, ...options }: FileOptions = {},
  ): Promise<TestReport> {
    return this.#prepared(what, tree, ({ limits, ...request }) =>
      runTests({ ...request, limits: { ...limits, ...(timeoutMs && { timeoutMs }) }, files, options }),
    );
  }

  /** Runs the suite once more, or these test files of it, and watches which of these paths' lines they run. */
  trace(what: string, tree: string, paths: string[], files: string[] = []): Promise<TracedRun> {
    const read = (path: string) => this.#parts.artifacts.readFile(tree, path)?.toString("utf8") ?? null;
    return this.#prepared(what, tree, (request) => traceTests({ ...request, files, paths, read }));
  }

  /** Runs of one tree under other conditions. */
  varied(what: string, tree: string): RunVaried {
    return (vary, files) => {
      const options: TestRunOptions = vary ? { vary } : {};
      return this.#prepared(what, tree, (request) => runTests({ ...request, files: [...files], options }));
    };
  }

  canShuffle(tree: string): boolean {
    return canShuffle(this.toolchainFor(tree).runner);
  }

  #prepared<T>(what: string, tree: string, run: (request: TestRequest) => Promise<T>): Promise<T> {
    const { sandbox, limits, signal } = this.#parts;
    return this.#slots.use(async (slot) => {
      this.#parts.onProgress(`running ${what}`);
      const workspace = await this.#parts.checkout(`suite-${slot}`, tree);
      const { language } = this;
      return run({ language, sandbox, limits, workspace, toolchain: this.toolchainFor(tree), files: [], signal });
    });
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
