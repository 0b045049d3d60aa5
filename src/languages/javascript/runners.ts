/** Test runners whose tests are read one by one. Any other is the user's own `script`, judged by its exit code. */
export const RUNNERS = ["node:test", "vitest", "jest", "mocha", "ava", "tap", "tape", "uvu"] as const;
export type RunnerName = (typeof RUNNERS)[number] | "script";

export const isRunnerName = (name: string): name is RunnerName =>
  name === "script" || RUNNERS.some((known) => known === name);

/** Options of a runner by what they mean for us; those that nobody names here are the project's own and are kept. */
interface RunnerOptions {
  /** Followed by their value, unless it is given with `=`. */
  valued: readonly string[];
  /** Left out, with their value: reporters, coverage, watching, ending early, renewing snapshots. */
  dropped: readonly string[];
  /** The same, and they have none. */
  flags: readonly string[];
}

const NODE_VALUED = [
  ...["--import", "--require", "-r", "--loader", "--experimental-loader", "--conditions", "-C", "--env-file"],
  ...["--env-file-if-exists", "--stack-size", "--max-old-space-size", "--tsconfig"],
];

const OPTIONS: Record<RunnerName, RunnerOptions> = {
  "node:test": {
    valued: [
      ...NODE_VALUED,
      ...["--test-name-pattern", "--test-skip-pattern", "--test-timeout", "--test-concurrency"],
      "--test-isolation",
    ],
    dropped: [
      ...["--test-reporter", "--test-reporter-destination", "--test-coverage-include", "--test-coverage-exclude"],
      ...["--test-coverage-lines", "--test-coverage-branches", "--test-coverage-functions", "--test-shard"],
      "--test-rerun-failures",
    ],
    flags: ["--watch", "--experimental-test-coverage", "--test-update-snapshots", "--test-only"],
  },
  vitest: {
    valued: [
      ...["-c", "--config", "-r", "--root", "--dir", "--project", "-t", "--testNamePattern", "--environment", "--pool"],
      ...["--mode", "--maxWorkers", "--configLoader", "--testTimeout"],
    ],
    dropped: ["--reporter", "--reporters", "--outputFile", "--bail", "--shard", "--coverage.reporter"],
    flags: ["run", "watch", "dev", "-w", "--watch", "--run", "--coverage", "--ui", "-u", "--update", "--changed"],
  },
  jest: {
    valued: [
      ...["-c", "--config", "--rootDir", "--roots", "--env", "--testEnvironment", "-w", "--maxWorkers", "-t"],
      ...["--testNamePattern", "--testTimeout", "--selectProjects", "--preset", "--setupFilesAfterEnv", "--transform"],
    ],
    dropped: ["--reporters", "--outputFile", "--coverageReporters", "--coverageDirectory", "--shard"],
    flags: [
      ...["--watch", "--watchAll", "--bail", "-b", "--coverage", "--collectCoverage", "--json", "--ci", "-o", "-f"],
      ...["--onlyChanged", "--onlyFailures", "-u", "--updateSnapshot", "--verbose", "--silent"],
    ],
  },
  mocha: {
    valued: [
      ...["-t", "--timeout", "-s", "--slow", "-r", "--require", "-g", "--grep", "-f", "--fgrep", "-u", "--ui", "-n"],
      ...["--extension", "--ignore", "--file", "--config", "--package", "--retries", "-j", "--jobs", "--node-option"],
      ...["--loader", "--import", "--experimental-loader", "--opts"],
    ],
    dropped: ["-R", "--reporter", "-O", "--reporter-option", "--reporter-options", "--shard"],
    flags: ["-w", "--watch", "-b", "--bail", "-c", "--color", "--colors", "--growl", "-G"],
  },
  ava: {
    valued: ["-m", "--match", "-c", "--concurrency", "-T", "--timeout", "--config", "--node-arguments", "-C"],
    dropped: [],
    flags: ["-w", "--watch", "-v", "--verbose", "-t", "--tap", "--fail-fast", "-u", "--update-snapshots", "--color"],
  },
  tap: {
    valued: ["-j", "--jobs", "-t", "--timeout", "--node-arg", "--test-arg", "-g", "--grep", "--plugin"],
    dropped: ["-R", "--reporter", "--reporter-arg", "--coverage-report", "-c"],
    flags: ["-w", "--watch", "-b", "--bail", "--color", "--snapshot", "-S", "--100", "--check-coverage", "--coverage"],
  },
  tape: {
    valued: [...NODE_VALUED, "-i", "--ignore", "--ignore-pattern", "--object-print-depth", "--project"],
    dropped: [],
    flags: ["--only"],
  },
  uvu: {
    valued: ["-r", "--require", "-C", "--cwd", "-i", "--ignore"],
    dropped: [],
    flags: ["-b", "--bail", "--color"],
  },
  script: { valued: [], dropped: [], flags: [] },
};

/** A word of a command line as it is written and as the program gets it. */
export interface Argument {
  text: string;
  value: string;
}

/** The arguments of a runner: its options as they are to be kept, and the files and patterns that it is given. */
export function sortArguments(
  runner: RunnerName,
  given: readonly Argument[],
): { options: string[]; files: Argument[] } {
  const { valued, dropped, flags } = OPTIONS[runner];
  const options: string[] = [];
  const files: Argument[] = [];
  for (let index = 0; index < given.length; index += 1) {
    const word = given[index];
    if (!word) continue;
    const [name = "", hasValue] = [word.value.split("=")[0], word.value.startsWith("-") && word.value.includes("=")];
    const next = hasValue ? undefined : given[index + 1];
    if (name.startsWith("--coverage") && hasValue) continue;
    if (flags.includes(name)) {
      // `--bail 1`
      if (next && /^\d+$/.test(next.value)) index += 1;
    } else if (dropped.includes(name)) index += next ? 1 : 0;
    else if (valued.includes(name)) {
      options.push(word.text, ...(next ? [next.text] : []));
      index += next ? 1 : 0;
    } else if (word.value.startsWith("-")) options.push(word.text);
    else files.push(word);
  }
  return { options, files };
}
