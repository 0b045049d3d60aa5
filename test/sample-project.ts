import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestReport } from "../src/domain/evidence/test-report.ts";
import type { SandboxBackend, SandboxLimits } from "../src/domain/settings/settings.ts";
import type { Language, TestRunOptions } from "../src/languages/language.ts";
import { runTests } from "../src/languages/run-tests.ts";
import { droppedIdentity } from "../src/sandbox/identity.ts";
import { openSandbox } from "../src/sandbox/open-sandbox.ts";

export const LIMITS: SandboxLimits = {
  cpus: 2,
  memoryMb: 1024,
  pids: 256,
  diskMb: 64,
  timeoutMs: 20_000,
  outputBytes: 100_000,
};

interface RunOptions {
  files?: string[];
  backend?: SandboxBackend;
  limits?: Partial<SandboxLimits>;
  /** The user's directory, when it is another one. */
  directory?: string;
  options?: TestRunOptions;
}

/** For tests: a real project in a temporary directory that the sandbox may use. */
export class SampleProject implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), "miracle-project-"));
  readonly #owner = droppedIdentity();

  constructor(files: Record<string, string>) {
    this.#own(this.directory);
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  write(path: string, content: string): void {
    const file = join(this.directory, path);
    for (const made of [mkdirSync(dirname(file), { recursive: true })]) if (made !== undefined) this.#own(made);
    writeFileSync(file, content);
    this.#own(file);
  }

  read(path: string): string {
    return readFileSync(join(this.directory, path), "utf8");
  }

  async run(
    language: Language,
    { files = [], backend, limits, directory, options = {} }: RunOptions = {},
  ): Promise<TestReport> {
    await using sandbox = openSandbox({ backend: backend ?? "bubblewrap" });
    return await runTests({
      language,
      sandbox,
      limits: { ...LIMITS, ...limits },
      workspace: this.directory,
      toolchain: await language.toolchain(directory ?? this.directory),
      files,
      options,
      signal: new AbortController().signal,
    });
  }

  /** Gives a directory with all in it to whoever code runs as in the sandbox. */
  own(directory: string): void {
    this.#own(directory);
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      this.#own(join(entry.parentPath, entry.name));
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  #own(path: string): void {
    if (this.#owner) chownSync(path, this.#owner.uid, this.#owner.gid);
  }
}

/** Each test and how it went. */
export const outcomes = (report: TestReport): Record<string, string> =>
  Object.fromEntries(report.tests.map((test) => [test.id, test.outcome]));

/** A report without what it measured: what is left must be the same for the same project. */
export function withoutTimes(report: TestReport): unknown {
  return { ...report, durationMs: 0, tests: report.tests.map((test) => ({ ...test, durationMs: 0 })) };
}
