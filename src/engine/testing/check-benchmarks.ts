import { z } from "zod";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Language } from "../../languages/language.ts";
import { benchmarkFacts, benchmarkPath } from "../../verify/performance/benchmark.ts";
import type { Run } from "../hands/run.ts";
import { objection } from "../hands/tool-outcome.ts";
import { type Benchmarks, runBenchmarkOnce } from "./run-benchmark-once.ts";

export interface CheckedBenchmarks {
  usable: TestFile[];
  /** Requirements about speed without a usable benchmark, with the reason. */
  unmeasured: { requirement: string; why: string }[];
  /** Whether the tester could change that. */
  wanted: boolean;
}

const Problems = z.array(z.object({ path: z.string(), problem: z.string() }));

/** A shorter run cannot be measured; a longer one cannot be repeated often enough. */
const SHORTEST_MS = 50;
const LONGEST_MS = 10_000;

/** Runs new benchmarks on the unchanged project, where they must already give a result. */
export async function checkBenchmarks(
  run: Run,
  tree: string,
  { spec, language, files }: Benchmarks,
): Promise<CheckedBenchmarks> {
  if (benchmarkPath(language.name, "any") === null) {
    const why = `speed is not measured in ${language.name}`;
    return { usable: [], unmeasured: spec.requirements.map(({ id }) => ({ requirement: id, why })), wanted: false };
  }
  const input = { tree, files };
  const problems = await run.step({ kind: "tool", name: "benchmark-check", input, output: Problems }, async () => {
    const found: z.infer<typeof Problems> = [];
    for (const file of files) found.push({ path: file.path, problem: await problemOf(run, tree, language, file) });
    return found.filter(({ problem }) => problem !== "");
  });
  const problemOfFile = (path: string) => problems.find((one) => one.path === path)?.problem;
  const usable = files.filter((file) => problemOfFile(file.path) === undefined);
  const measures = (file: TestFile, id: string) => file.covers.some(({ requirement }) => requirement === id);
  const unmeasured = spec.requirements
    .filter(({ id }) => !usable.some((file) => measures(file, id)))
    .map(({ id }) => {
      const own = files.filter((file) => measures(file, id));
      const why = own.map((file) => `${file.path} cannot be used: ${problemOfFile(file.path) ?? ""}`).join("; ");
      return { requirement: id, why: why || `no benchmark covers ${id}` };
    });
  return { usable, unmeasured, wanted: true };
}

async function problemOf(run: Run, tree: string, language: Language, file: TestFile): Promise<string> {
  const { size } = benchmarkFacts(file.content);
  if (size === null || size < 1) return "it has no `SIZE = …` with a number";
  const laid = run.parts.artifacts.overlay(run.task, tree, [{ path: file.path, content: file.content }]);
  const objected = await objection(run.parts.warden.checkCode(laid));
  if (objected) return "asks" in objected ? "it does what needs an approval" : objected.refused.content;
  const once = (seed: number) => runBenchmarkOnce(run, { language, tree, file, drawn: { size, seed } });
  const [first, again, other] = [await once(1), await once(1), await once(2)];
  const broken = [first, again, other].find(({ result }) => result === null);
  if (broken) return `it does not come to its end: ${broken.problem}`;
  if (first.result !== again.result) return "`work` gives another value for the same seed: it must depend on it alone";
  if (first.result === other.result) return "`work` gives the same value whatever the input: it shows no work";
  const ms = Math.min(first.workMs, again.workMs, other.workMs);
  if (ms < SHORTEST_MS) return `\`work\` takes ${ms.toFixed(0)} ms: choose a larger SIZE`;
  if (ms > LONGEST_MS) return `\`work\` takes ${(ms / 1000).toFixed(0)} s: choose a smaller SIZE`;
  return "";
}
