import { execFileSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { countTests, isRed, type TestReport } from "../../src/domain/evidence/test-report.ts";
import { TerminalFailure } from "../../src/domain/failure.ts";
import type { Toolchain } from "../../src/languages/language.ts";
import { openLanguages } from "../../src/languages/open-languages.ts";
import { withIgnoredFiles } from "../../src/verify/prove/ignored-files.ts";
import { SuiteRunner } from "../../src/verify/prove/suite-runner.ts";
import type { Ended } from "../verdicts/miracle.ts";
import type { MeasuringParts } from "./measuring-parts.ts";
import { type Counts, countsIn, runOutside } from "./outside.ts";

export interface Measured {
  /** `owner/name`. */
  project: string;
  commit: string;
  /** Language and runner. */
  kind: string;
  /** Where its packages come from, in a few words. */
  packages: string;
  setUpSeconds: number;
  seconds: number;
  inside: Counts | null;
  outside: Counts | null;
  /** Whether the run inside came to its end. */
  ended: boolean;
  /** The exit code of the project's own command; null where it was never run or took too long. */
  outsideExit: number | null;
  /** The first line of what is wrong, where something is. */
  cause: string;
}

/** A checkout without anything that somebody installed there. */
export function cleanCheckout(source: string, commit: string, directory: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { stdio: "pipe", encoding: "utf8" });
  git("clone", "-q", "--no-checkout", source, directory);
  git("-C", directory, "checkout", "-q", "--detach", commit);
}

/** Sets a project up as the product does, and runs its suite inside and outside of the product's sandbox. */
export async function measureProject(
  parts: MeasuringParts,
  directory: string,
  minutes: number,
): Promise<Omit<Measured, "project" | "commit">> {
  const nothing = {
    kind: "",
    packages: "",
    setUpSeconds: 0,
    seconds: 0,
    inside: null,
    outside: null,
    ended: false,
    outsideExit: null,
  };
  const { artifacts, languages, task } = parts;
  const { id } = await artifacts.importTree(task, directory);
  const laid = await withIgnoredFiles(artifacts, task, directory, { base: id, result: id });
  const tree = laid?.result ?? id;
  const language = openLanguages().detect(artifacts.list(tree).map(({ path }) => path));
  if (!language) return { ...nothing, cause: "no language is known here" };
  const began = performance.now();
  let toolchain: Toolchain;
  try {
    toolchain = await languages.toolchain(language, directory, tree);
  } catch (error) {
    if (!(error instanceof TerminalFailure)) throw error;
    return { ...nothing, kind: language.name, packages: "none", cause: error.message };
  }
  const setUpSeconds = (performance.now() - began) / 1000;
  const started = performance.now();
  const report = await new SuiteRunner(parts, { language, inTree: () => toolchain }).run("the suite", tree);
  const seconds = (performance.now() - started) / 1000;
  const ended = await runOutside(toolchain, await parts.checkout("outside", tree), minutes);
  const outside = COUNT_ASSERTIONS.has(toolchain.runner) ? null : countsIn(`${ended.stdout}\n${ended.stderr}`);
  const inside = report && report.tests.length > 0 ? countTests(report) : null;
  return {
    kind: `${language.name}, ${toolchain.runner}`,
    packages: packagesOf(toolchain),
    setUpSeconds,
    seconds,
    inside,
    outside,
    ended: report?.ending === "completed",
    outsideExit: ended.exit,
    cause: causeOf(toolchain, report, ended),
  };
}

const COUNT_ASSERTIONS = new Set(["tap", "tape"]);

const packagesOf = ({ versions }: Toolchain): string =>
  versions.missing !== undefined ? "not had" : versions.environment !== undefined ? "built" : "what is installed";

function causeOf({ versions }: Toolchain, report: TestReport | null, outside: Ended): string {
  return [versions.missing ?? "", whyRed(report, outside)].filter((text) => text !== "").join("; ");
}

function whyRed(report: TestReport | null, outside: Ended): string {
  const red = report?.tests.find(isRed);
  if (red) return firstReason(red.message) || red.id;
  if (!report || report.tests.length === 0) return firstReason(report?.output ?? "") || "no test was found";
  return outside.exit === 0 ? "" : `outside: ${firstReason(outside.stderr) || firstReason(outside.stdout)}`;
}

function firstReason(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return (
    lines.find((line) => /^(\w*(Error|Failure)\b.*:|FAILED )|unrecognized arguments/.test(line)) ??
    lines.find((line) => /error|expected|not found|cannot|fail|denied/i.test(line)) ??
    lines[0] ??
    ""
  );
}
