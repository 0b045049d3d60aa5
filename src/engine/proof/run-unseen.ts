import { randomBytes } from "node:crypto";
import { z } from "zod";
import { type HeldOutTest, heldOutId, mustRun } from "../../domain/evidence/held-out.ts";
import { isNamed } from "../../domain/evidence/match-test.ts";
import { TestOutcome, type TestReport } from "../../domain/evidence/test-report.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Language } from "../../languages/language.ts";
import { judgeTwins } from "../../verify/held-out/judge-twins.ts";
import { makeTwins, type TwinPair } from "../../verify/held-out/twin.ts";
import { judgedTree } from "../gate/judged-tree.ts";
import type { Run } from "../hands/run.ts";
import { runTestsIn, testCounts } from "../hands/run-tests.ts";
import { isolatedPrograms, runIsolated } from "./run-isolated.ts";

const UnseenRun = z.lazy(() =>
  z.array(
    z.object({
      id: z.string(),
      outcome: z.enum(["passed", "red", "stopped", "unjudged", "tampered"]),
      message: z.string(),
      /** By what follows its name. */
      cases: z.array(z.object({ case: z.string(), outcome: TestOutcome })),
    }),
  ),
);

const LONGEST_MESSAGE = 2000;

export interface UnseenTests {
  /** The finished change. */
  tree: string;
  /** The tree it started from. */
  before: string;
  language: Language;
  files: TestFile[];
  tests: HeldOutTest[];
}

/**
 * Runs the held-out tests and their twins on a finished change. Each runs in an empty directory and a sandbox of its
 * own, under names that are made only now. Nothing of them stays on disk.
 */
export async function runUnseen(
  run: Run,
  { tree, before, language, files, tests }: UnseenTests,
): Promise<HeldOutTest[]> {
  const seed = await run.step({ kind: "decision", name: "twin-names", input: null, output: z.string() }, async () =>
    randomBytes(16).toString("hex"),
  );
  const due = dueFiles(files, tests);
  const input = { tree, before, seed, files: due };
  const seenRuns = await run.step({ kind: "tool", name: "held-out", input, output: UnseenRun }, async ({ emit }) => {
    const { artifacts, journal, parsers } = run.parts;
    const { originals, twins, decoys, pairs } = await makeTwins(parsers, due, seed);
    const programs = await isolatedPrograms(run, tree, due);
    const judged = await judgedTree(run, { base: before, tree });
    const execute = async (laid: { path: string; content: string }[], fuzz: string[] = []) => {
      if (programs) return runIsolated(run, { tree, before, language, files: laid, programs });
      const withTests = artifacts.overlay(journal.task, judged, laid);
      try {
        const paths = laid.map((file) => file.path);
        return await runTestsIn(run, { checkout: "unseen", tree: withTests, language, files: paths, fuzz });
      } finally {
        run.parts.checkouts.named("unseen").clear();
      }
    };
    const stages = programs || decoys.length === 0 ? 2 : 3;
    const tell = (done: number) => run.parts.onProgress("runs of unseen tests", done, stages);
    tell(0);
    const ranOriginals = await execute(
      originals,
      originals.map(({ path }) => path),
    );
    tell(1);
    const ranTwins = await execute(twins);
    tell(2);
    const runs = {
      originals: ranOriginals,
      twins: ranTwins,
      // No decoys for isolated programs: a program in its own sandbox cannot read what the test expects of it.
      ...(!programs && decoys.length > 0 && { decoys: await execute(decoys) }),
    };
    emit(testCounts("held-out", runs.originals));
    return oneEach(
      pairs.map((pair) => {
        const verdict = judgeTwins(pair, runs);
        const id = heldOutId({ file: pair.of.path, test: pair.of.test });
        const cases = casesOf(pair, runs.originals);
        if (verdict.verdict === "passed") return { id, outcome: "passed", message: "", cases };
        const message = named(verdict.message, pair).slice(-LONGEST_MESSAGE);
        if (verdict.verdict === "tampered") {
          emit({
            type: "warning-raised",
            code: "tests.tampered",
            message: `an unseen test of the change: ${verdict.message}`,
          });
        }
        const outcome = verdict.verdict === "red" && verdict.stopped ? "stopped" : verdict.verdict;
        return { id, outcome, message, cases };
      }),
    );
  });
  const found = new Map(seenRuns.map((one) => [one.id, one]));
  return tests.map((test) => {
    const seen = mustRun(test) ? found.get(heldOutId(test)) : undefined;
    if (!seen) return test;
    const before = new Map(test.cases.map((one) => [one.case, one.before]));
    const cases = seen.cases.map(({ case: own, outcome }) => ({
      case: own,
      before: before.get(own) ?? null,
      after: outcome,
    }));
    return { ...test, outcome: seen.outcome, cases, reason: seen.outcome === "passed" ? test.reason : seen.message };
  });
}

type SeenTest = z.infer<typeof UnseenRun>[number];

/** The weightiest first. */
const WEIGHTS: SeenTest["outcome"][] = ["tampered", "stopped", "red", "unjudged", "passed"];

/** Several tests may go by one name, in different groups: none of them may be wrong. */
function oneEach(seen: SeenTest[]): SeenTest[] {
  return [...Map.groupBy(seen, ({ id }) => id).values()].flatMap((same) => {
    const [worst] = same.toSorted((a, b) => WEIGHTS.indexOf(a.outcome) - WEIGHTS.indexOf(b.outcome));
    return worst ? [{ ...worst, cases: same.flatMap(({ cases }) => cases) }] : [];
  });
}

const casesOf = ({ original }: TwinPair, originals: TestReport): SeenTest["cases"] =>
  originals.tests
    .filter((test) => isNamed(test, original.path, original.name))
    .map(({ name, outcome }) => ({
      case: name.slice(name.lastIndexOf(original.name) + original.name.length),
      outcome,
    }));

/** Puts the original names back, as the tester knows them. */
const named = (
  message: string,
  { of, original }: { of: { path: string; test: string }; original: { path: string; name: string } },
): string => message.replaceAll(original.path, of.path).replaceAll(original.name, of.test);

/** Only tests that still count. A void test would only take time. */
function dueFiles(files: TestFile[], tests: HeldOutTest[]): TestFile[] {
  const due = new Set(tests.filter(mustRun).map(heldOutId));
  return files.flatMap((file) => {
    const covers = file.covers.filter(({ test }) => due.has(heldOutId({ file: file.path, test })));
    return covers.length > 0 ? [{ ...file, covers }] : [];
  });
}
