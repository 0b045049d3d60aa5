import { randomInt } from "node:crypto";
import { z } from "zod";
import { SpeedReport } from "../../domain/evidence/speed.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Language } from "../../languages/language.ts";
import { benchmarkFacts, factorSaid } from "../../verify/performance/benchmark.ts";
import { judgeSpeed, type SpeedPair } from "../../verify/performance/judge-speed.ts";
import type { Run } from "../hands/run.ts";
import { type Benchmarks, runBenchmarkOnce } from "../testing/run-benchmark-once.ts";

const PAIRS = 9;
const LEAST_PAIRS = 5;
const BUDGET_MS = 240_000;

/**
 * Runs each benchmark on the project before and after the change, alternately, so that other load on the machine
 * affects both. Each run has a new process, a new workspace and an input that nobody could know, so no result can be
 * cached or prepared.
 */
export function measureSpeed(
  run: Run,
  trees: { before: string; after: string },
  { spec, language, files }: Benchmarks,
): Promise<SpeedReport[]> {
  const input = { ...trees, files };
  return run.step({ kind: "tool", name: "speed", input, output: z.array(SpeedReport) }, async () => {
    const reports: SpeedReport[] = [];
    for (const file of files) {
      const pairs = await measurePairs(run, language, trees, file);
      for (const requirement of new Set(file.covers.map((cover) => cover.requirement))) {
        const asked = askedOf(spec, requirement, file);
        reports.push({ requirement, benchmark: file.path, asked, ...judgeSpeed(pairs, asked) });
      }
    }
    return reports;
  });
}

async function measurePairs(
  run: Run,
  language: Language,
  { before, after }: { before: string; after: string },
  file: TestFile,
): Promise<SpeedPair[]> {
  const { size: usual = null } = benchmarkFacts(file.content);
  const start = run.parts.clock();
  const pairs: SpeedPair[] = [];
  while (pairs.length < PAIRS) {
    if (pairs.length >= LEAST_PAIRS && run.parts.clock() - start > BUDGET_MS) break;
    // The size varies by up to a tenth, so that nobody can prepare for one size.
    const drawn = {
      size: Math.max(1, Math.round(((usual ?? 1) * randomInt(900, 1101)) / 1000)),
      seed: randomInt(2 ** 31),
    };
    const measure = (tree: string) => runBenchmarkOnce(run, { language, tree, file, drawn });
    const turn = pairs.length % 2 === 0;
    const first = await measure(turn ? before : after);
    const second = await measure(turn ? after : before);
    pairs.push({ ...drawn, before: turn ? first : second, after: turn ? second : first });
    if (first.result === null || first.result !== second.result) break; // nothing more is to be learned
  }
  return pairs;
}

/** The requirement decides, even if the tester asks for less. */
function askedOf({ requirements }: Spec, id: string, { content }: TestFile): number | null {
  const requirement = requirements.find((item) => item.id === id);
  const said = factorSaid(`${requirement?.text ?? ""} ${requirement?.quote ?? ""}`);
  const { factor } = benchmarkFacts(content);
  return said === null && factor === null ? null : Math.max(said ?? 0, factor ?? 0);
}

/** The report for a requirement that no benchmark measures. */
export const notMeasured = (requirement: string, why: string): SpeedReport => ({
  requirement,
  benchmark: null,
  verdict: "not-measured",
  why,
  asked: null,
  factor: null,
  before: null,
  after: null,
  pairs: [],
});
