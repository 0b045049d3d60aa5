import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { type CommandResult, WORKSPACE } from "../../sandbox/sandbox.ts";
import { judgeRun } from "../judge-run.ts";
import type {
  Language,
  ProgramRun,
  SourceFile,
  TestRun,
  TestRunOptions,
  Toolchain,
  Trace,
  TraceFile,
} from "../language.ts";
import { reportFileFor } from "../report-file.ts";
import { compiledPackages, SEED, SOW } from "./build-cache.ts";
import { COMPARE_PROGRAM } from "./compare-program.ts";
import { findGo, type GoEnvironment } from "./find-go.ts";
import { fuzzEnvironment } from "./fuzz-program.ts";
import { readGoReport } from "./go-report.ts";
import { GO_TEST_PROGRAM } from "./go-test-program.ts";
import { readProfiles } from "./read-profiles.ts";

/** The runner leaves these out, and so do we. */
const LEFT_OUT = /(^|\/)(testdata|vendor|_[^/]*|\.[^/]*)\//;

/** Go with its own `go test`; seeds of fuzz tests run as tests, and other inputs are looked for where it is asked for. */
export class Go implements Language {
  readonly name = "go";
  readonly #environment: GoEnvironment;
  readonly #toolchains = new Map<string, Toolchain>();

  constructor(environment: GoEnvironment) {
    this.#environment = environment;
  }

  detect(paths: string[]): number {
    if (paths.includes("go.mod") || paths.includes("go.work")) return 0.89;
    const sources = paths.filter((path) => path.endsWith(".go")).length;
    return paths.length === 0 ? 0 : Math.min(0.8, sources / paths.length + (sources > 0 ? 0.2 : 0));
  }

  scaffold(): SourceFile[] {
    return [{ path: "go.mod", content: "module project\n\ngo 1.19\n" }];
  }

  checks(): string[][] {
    return [["go vet ./..."]];
  }

  /** Beside the code: a test belongs to the package of its directory. */
  testPath(name: string, paths: string[]): string {
    const directories = paths
      .filter((path) => path.endsWith(".go") && !LEFT_OUT.test(path))
      .map((path) => path.slice(0, path.lastIndexOf("/") + 1));
    const bare = name
      .replace(/(_test)?\.go$/, "")
      .replace(/[^A-Za-z0-9]+/g, "_")
      .toLowerCase();
    const most = mostOf(directories.filter((directory) => !directory.startsWith("cmd/"))) ?? "";
    return `${directories.includes("") ? "" : most}${bare}_test.go`;
  }

  isTestFile(path: string): boolean {
    return path.endsWith("_test.go") && !LEFT_OUT.test(path);
  }

  advice(): string {
    return [
      "A test file stands in the directory of the package it tests, and compiles together with the other files there: names of tests and helpers differ between files.",
      "Assert in the test itself with `if got != want { t.Errorf(…) }` or `t.Fatalf`, in a loop over a table where there are several cases; write out the values that are expected, with their types.",
      "A fuzz test is there for a property: inputs that it names (`f.Add`) run as tests, others are looked for within seconds, so it must hold for every input.",
    ].join("\n");
  }

  async toolchain(directory: string, environment?: string): Promise<Toolchain> {
    const key = `${directory}\0${environment ?? ""}`;
    const known = this.#toolchains.get(key);
    if (known) return known;
    const plain = findGo(directory, this.#environment, environment);
    const { GOROOT = "" } = plain.env;
    const seed = await compiledPackages(GOROOT, plain.versions.go ?? "", this.#environment);
    const found = seed === null ? plain : withSeed(plain, seed);
    this.#toolchains.set(key, found);
    return found;
  }

  testRun(files: string[], _toolchain?: Toolchain, { vary, trace, fuzz }: TestRunOptions = {}): TestRun {
    const report = reportFileFor(files);
    const traceDirectory = `${report.name}-trace`;
    const packages = [...new Set(files.map((file) => `./${file.slice(0, file.lastIndexOf("/") + 1)}`))];
    return {
      argv: ["sh", "-c", GO_TEST_PROGRAM, "sh", ...files],
      runner: "go test",
      files,
      env: {
        // A run of the tests leaves go.mod as it is.
        GOFLAGS: "-p=2",
        MIRACLE_REPORT: report.path,
        ...(trace && { MIRACLE_TRACE_OUT: `${WORKSPACE}/${traceDirectory}` }),
        ...(vary && { TZ: vary.timeZone }),
        ...fuzzEnvironment(fuzz ?? (vary ? files : [])),
        ...(vary?.orderSeed != null && { MIRACLE_ORDER_SEED: `${vary.orderSeed}` }),
      },
      reportFile: report.name,
      display: ["go test", ...(files.length === 0 ? ["./..."] : packages)].join(" "),
      ...(trace && { traceDirectory }),
    };
  }

  parseReport(report: string | null, result: CommandResult, run: TestRun): TestReport {
    const { printed, ...lines } = readGoReport(report ?? "", result, run.files);
    return judgeRun(lines, { ...result, stdout: printed + result.stdout }, run);
  }

  readTrace(files: TraceFile[], paths: string[]): Trace {
    return readProfiles(
      files.map(({ text }) => text),
      paths,
    );
  }

  comparison(originals: Map<string, string>, mutants: readonly Mutant[]): ProgramRun {
    const stdin = JSON.stringify({
      originals: Object.fromEntries(originals),
      mutants: mutants.map(({ path, from, to, replacement }) => {
        const text = originals.get(path) ?? "";
        return { path, text: text.slice(0, from) + replacement + text.slice(to) };
      }),
    });
    const start = `${SOW}; mkdir -p /tmp/compare && printf %s "$1" > /tmp/compare/main.go && exec go run /tmp/compare/main.go`;
    return { argv: ["sh", "-c", start, "sh", COMPARE_PROGRAM], env: { GOFLAGS: "-p=2" }, stdin };
  }
}

const withSeed = (toolchain: Toolchain, from: string): Toolchain => ({
  ...toolchain,
  mounts: [...toolchain.mounts, { from, to: SEED }],
  env: { ...toolchain.env, MIRACLE_GO_SEED: SEED },
});

function mostOf(words: string[]): string | undefined {
  const counts = Map.groupBy(words, (word) => word);
  return [...counts].toSorted(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1))[0]?.[0];
}
