import { randomInt } from "node:crypto";
import type { Spec } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Language } from "../../languages/language.ts";
import { type BenchmarkRun, runBenchmark } from "../../verify/performance/run-benchmark.ts";
import type { Run } from "../hands/run.ts";

export interface Benchmarks {
  spec: Spec;
  language: Language;
  files: TestFile[];
}

export interface BenchmarkOnTree {
  language: Language;
  tree: string;
  file: TestFile;
  /** Drawn at random for this run, so that nothing can be prepared for it. */
  drawn: { size: number; seed: number };
}

/** Runs a benchmark in an empty directory, in a new sandbox and process. */
export async function runBenchmarkOnce(
  run: Run,
  { language, tree, file, drawn }: BenchmarkOnTree,
): Promise<BenchmarkRun> {
  const { path, content } = file;
  const { artifacts, journal, sandbox, signal } = run.parts;
  const checkout = run.parts.checkouts.named("unseen");
  await checkout.renew(artifacts.overlay(journal.task, tree, [{ path, content }]));
  try {
    return await runBenchmark({
      sandbox,
      limits: run.settings.sandbox.limits,
      signal,
      toolchain: await run.parts.languages.toolchain(language, run.request.directory, tree),
      workspace: checkout.directory,
      path,
      ...drawn,
      mark: randomInt(2 ** 47).toString(36),
    });
  } finally {
    checkout.clear();
  }
}
