import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MutantReport } from "../src/domain/evidence/mutant-report.ts";
import type { Language } from "../src/languages/language.ts";
import { type TracedRun, traceTests } from "../src/languages/trace-tests.ts";
import { openSandbox } from "../src/sandbox/open-sandbox.ts";
import { SyntaxParsers } from "../src/syntax/parse.ts";
import { makeMutants } from "../src/verify/mutants/make-mutants.ts";
import { type MutantRun, runMutants } from "../src/verify/mutants/run-mutants.ts";
import { LIMITS, SampleProject } from "./sample-project.ts";

export type Sample = Partial<MutantRun> & {
  language: Language;
  /** Mutated from the first line to the last. */
  paths: string[];
  /** As if the runner did not tell which lines run. */
  untraced?: boolean;
  directory?: string;
};

/** For tests and benchmarks: everything from the files to the report, with real parts. */
export async function runSample(
  files: Record<string, string>,
  { language, paths, untraced, ...options }: Sample,
): Promise<{ report: MutantReport; baseline: TracedRun }> {
  using project = new SampleProject(files);
  const made: string[] = [];
  await using sandbox = openSandbox({ backend: "bubblewrap" });
  const read = (path: string) => files[path] ?? null;
  const toolchain = options.toolchain ?? (await language.toolchain(project.directory));
  const signal = new AbortController().signal;
  const around = { language, sandbox, limits: LIMITS, toolchain, signal };
  try {
    const traced = await traceTests({ ...around, workspace: project.directory, files: [], paths, read });
    const baseline = untraced ? { ...traced, lines: null } : traced;
    const parsers = new SyntaxParsers();
    const everything = [{ from: 1, to: 100_000 }];
    const mutants = await Promise.all(
      paths.map((path) => makeMutants({ path, content: files[path] ?? "" }, everything, parsers)),
    );
    const makeWorkspace = async () => {
      const directory = mkdtempSync(join(tmpdir(), "miracle-mutants-"));
      made.push(directory);
      const renew = async () => {
        rmSync(directory, { recursive: true, force: true });
        cpSync(project.directory, directory, { recursive: true, preserveTimestamps: true });
        project.own(directory);
      };
      await renew();
      return { directory, renew };
    };
    const report = await runMutants({
      ...around,
      mutants: mutants.flat(),
      read,
      parsers,
      baseline,
      makeWorkspace,
      budgetMs: 60_000,
      parallel: 2,
      ...options,
    });
    return { report, baseline };
  } finally {
    for (const directory of made) rmSync(directory, { recursive: true, force: true });
  }
}

/** Requirements whose tests killed nothing. */
export const withoutKill = ({ requirements }: MutantReport): string[] =>
  requirements.filter(({ killed }) => killed.length === 0).map(({ id }) => id);
