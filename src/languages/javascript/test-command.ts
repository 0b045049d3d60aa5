import { parse } from "unbash";
import type { TestRun } from "../language.ts";
import { asModule, REPORTER, STEADY_FAST_CHECK } from "./node-programs.ts";
import { AVA_REPORTER, FILE_BY_FILE, MOCHA_REPORTER, UVU_REPORTER } from "./runner-hooks.ts";
import { type Argument, type RunnerName, sortArguments } from "./runners.ts";

interface CommandRequest {
  runner: RunnerName;
  /** One command, for bash. */
  script: string;
  before: readonly string[];
  /** Named files; empty: those that the script means. */
  files: string[];
  /** Where the report is written. */
  report: string;
  /** Major versions of runners, where they are known. */
  versions: Record<string, string>;
  /** Where Jest and Vitest write which lines of these files ran; null: they need not. */
  coverage: { directory: string; paths: readonly string[] } | null;
}

/** The project's own test command with our report, and without what ends it early or only adorns it. */
export function testCommand(request: CommandRequest): Pick<TestRun, "argv" | "env" | "display"> {
  const { runner, script, before, files, report } = request;
  const { env: written, program, given } = taken(runner, script);
  const env = written.map((one) => one.replace(/^NODE_OPTIONS=/, 'NODE_OPTIONS="$NODE_OPTIONS "'));
  const { options, files: own } = sortArguments(runner, given);
  const wanted = files.length > 0 ? files.map(quoted) : own.map(({ text }) => text);
  const shownAs = (first: string, rest: string[]) =>
    [...written, first, ...rest, ...(files.length > 0 ? files : own.map(({ text }) => text))].join(" ");
  const steady = `--import=${asModule(STEADY_FAST_CHECK)}`;
  // `$first` is what we give the command at another place than the rest.
  const run = (words: string[], more: string[], loaded: string[] = []) => ({
    argv: ["bash", "-c", [...unwatched(before), TAKES_FIRST, [...env, ...words].join(" ")].join("; "), "bash", ...more],
    env: {
      NODE_OPTIONS: [steady, ...loaded.map((source) => `--import=${asModule(source)}`)].join(" "),
      ...(loaded.length > 0 && { MIRACLE_LINES: report }),
    },
    display: shownAs(program, options),
  });
  switch (runner) {
    case "node:test": {
      const reporters = [
        ...[`--test-reporter=${asModule(REPORTER)}`, `--test-reporter-destination=${report}`],
        ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
      ];
      const kept = options.filter((word) => word !== "--test");
      const words = [program, '"$first"', ...kept, "--test", '"$@"', ...wanted];
      return { ...run(words, [steady, ...reporters]), env: {}, display: shownAs(program, [...kept, "--test"]) };
    }
    case "vitest": {
      const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`, "--bail=0"];
      const coverage = request.coverage === null ? ["--coverage.enabled=false"] : vitestCoverage(request.coverage);
      const all = run([program, '"$first"', ...options, '"$@"', ...wanted], ["run", ...reporters, ...coverage]);
      return { ...all, display: shownAs(program, ["run", ...options]) };
    }
    case "jest": {
      const coverage = request.coverage === null ? ["--coverage=false"] : jestCoverage(request.coverage);
      // With `--ci` a missing snapshot is a failure. Otherwise it would be written and then equal itself.
      const more = ["--json", `--outputFile=${report}`, "--ci", ...coverage, "--watchman=false", "--no-bail"];
      const named = files.length > 0 ? ["--runTestsByPath"] : [];
      return run([program, '"$first"', ...options, '"$@"', ...named, ...wanted], more);
    }
    case "mocha":
      return run(
        [program, '"$first"', ...options, '"$@"', ...wanted],
        ["--no-bail", "--reporter", "miracle"],
        [MOCHA_REPORTER],
      );
    case "ava":
      return run([program, '"$first"', ...options, ...wanted], ["--tap"], [AVA_REPORTER]);
    case "uvu": {
      const places = files.length > 0 ? [".", quoted(namedPattern(files))] : wanted;
      return run([program, '"$first"', ...options, ...places], ["--color=false"], [UVU_REPORTER]);
    }
    case "tap": {
      const isNew = Number(request.versions.tap?.split(".")[0] ?? 18) >= 18;
      const more = ["-Rtap", isNew ? "--disable-coverage" : "--no-coverage"];
      return run([program, ...options, '"$@"', ...wanted, '| tee "$first"'], [report, ...more]);
    }
    case "tape":
      return run(['node -e "$first" "$@"', program, ...options, "--files", ...wanted], [FILE_BY_FILE, report]);
    case "script": {
      const all = run([`{ ${script} "$@"; } | tee "$first"`], [report, ...files]);
      return { ...all, display: [script, ...files].join(" ") };
    }
  }
}

/**
 * What is done before the tests runs as it does without us: with `--import` Node loads a program as a module, also one
 * that `--require @babel/register` was to translate. In the same shell, because it may be a `cd`.
 */
const unwatched = (before: readonly string[]): string[] =>
  before.length === 0 ? [] : [OWN_ASIDE, ...before, OWN_BACK];

const OWN_ASIDE = "own=$NODE_OPTIONS lines=$NODE_V8_COVERAGE; unset NODE_OPTIONS NODE_V8_COVERAGE";
const OWN_BACK =
  'export NODE_OPTIONS="$own $NODE_OPTIONS"; if [ -n "$lines" ]; then export NODE_V8_COVERAGE="$lines"; fi';

const TAKES_FIRST = "set -o pipefail; first=$1; shift";

/** Its variables, the words that start the runner, and what these are given. */
function taken(runner: RunnerName, script: string): { env: string[]; program: string; given: Argument[] } {
  const [statement] = parse(script).commands;
  const command = statement?.command.type === "Command" ? statement.command : undefined;
  if (!command?.name || runner === "script") return { env: [], program: script, given: [] };
  const env = command.prefix.flatMap((one) => (one.type === "Assignment" ? one.text : []));
  const words = [command.name, ...command.args].map((one) => ({
    text: one.text,
    value: one.type === "Word" ? one.value : one.text,
  }));
  // `node --experimental-vm-modules node_modules/jest/bin/jest.js --ci`
  const isStarted = /^(node|tsx)$/.test(words[0]?.value ?? "") && runner !== "node:test" && runner !== "tape";
  const at = isStarted ? words.findIndex(({ value }) => value.includes(`node_modules/`) && value.includes(runner)) : 0;
  const program = words.slice(0, Math.max(at, 0) + 1).map(({ text }) => text);
  return { env, program: program.join(" "), given: words.slice(program.length) };
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** uvu takes a directory and a pattern of names. */
const namedPattern = (files: string[]): string =>
  `^(${files.map((file) => file.replace(/^\.\//, "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})$`;

type Coverage = NonNullable<CommandRequest["coverage"]>;

const jestCoverage = ({ directory, paths }: Coverage): string[] => [
  ...["--coverage", "--coverageReporters=json", `--coverageDirectory=${directory}`, "--coverageThreshold={}"],
  ...paths.map((path) => `--collectCoverageFrom=${path}`),
];

const vitestCoverage = ({ directory, paths }: Coverage): string[] => [
  ...["--coverage.enabled", "--coverage.reporter=json", `--coverage.reportsDirectory=${directory}`],
  ...["--coverage.reportOnFailure", ...paths.map((path) => `--coverage.include=${path}`)],
];
