import { z } from "zod";
import { type HeldOutTest, heldOutId, mustRun } from "../../domain/evidence/held-out.ts";
import { isNamed } from "../../domain/evidence/match-test.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import { isRed, type TestReport } from "../../domain/evidence/test-report.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Language } from "../../languages/language.ts";
import { traceTests } from "../../languages/trace-tests.ts";
import { makeTwins } from "../../verify/held-out/twin.ts";
import { runMutants } from "../../verify/mutants/run-mutants.ts";
import type { Run } from "../hands/run.ts";
import { runTestsIn, testCounts } from "../hands/run-tests.ts";
import { objection } from "../hands/tool-outcome.ts";
import { isolatedPrograms } from "./run-isolated.ts";

export const SharpenedRun = z.lazy(() =>
  z.object({
    tests: z.array(
      z.object({
        file: z.string(),
        test: z.string(),
        requirement: z.string(),
        /** The outcome on the finished change. `absent`: the test did not run, or was skipped. */
        outcome: z.enum(["passed", "red", "absent"]),
        message: z.string(),
        /** Ids of the mutants that the test noticed. */
        killed: z.array(z.string()),
        /**
         * The test has a twin and can run with the other held-out tests, so a mended change can be checked against it.
         */
        mendable: z.boolean(),
      }),
    ),
    /** Why the tests were not run. */
    refused: z.string().optional(),
  }),
);
export type SharpenedRun = z.infer<typeof SharpenedRun>;

export interface SharperTests {
  /** The tree whose mutants survived, and the finished change. They are the same unless behaviour had to stay. */
  tree: string;
  result: string;
  language: Language;
  files: TestFile[];
  left: Mutant[];
  heldOut: { files: TestFile[]; tests: HeldOutTest[] };
}

const BUDGET_MS = 20_000;
const LONGEST_MESSAGE = 2000;

/**
 * Runs sharper tests on the finished change, and on the mutants that no other test noticed. Nothing of them stays on
 * disk.
 */
export function runSharpened(run: Run, sharper: SharperTests): Promise<SharpenedRun> {
  const { tree, result, files, left } = sharper;
  const input = { tree, result, files, mutants: left.map(({ id }) => id) };
  return run.step({ kind: "tool", name: "sharpened", input, output: SharpenedRun }, async ({ emit }) => {
    const { artifacts, journal, checkouts } = run.parts;
    const texts = files.map(({ path, content }) => ({ path, content }));
    const paths = texts.map(({ path }) => path);
    const taken = paths.filter((path) => artifacts.readFile(result, path) !== null);
    if (taken.length > 0) return { tests: [], refused: `${taken.join(", ")} exists already: choose a new name` };
    const laid = artifacts.overlay(journal.task, tree, texts);
    const objected = await objection(run.parts.warden.checkCode(laid));
    if (objected) {
      if ("refused" in objected) emit(objected.refused.event);
      return { tests: [], refused: "refused" in objected ? objected.refused.content : "this would need an approval" };
    }
    try {
      const { report, killed } = await onMutants(run, sharper, laid, paths);
      const finished =
        result === tree
          ? report
          : await runTestsIn(run, {
              checkout: "unseen",
              tree: artifacts.overlay(journal.task, result, texts),
              language: sharper.language,
              files: paths,
            });
      emit(testCounts("held-out", finished));
      const mendable = await mendableTests(run, sharper);
      const tests = files.flatMap((file) =>
        file.covers.map(({ test, requirement }) => ({
          file: file.path,
          test,
          requirement,
          ...outcomeOf(finished, file.path, test),
          killed: killed(file.path, test),
          mendable: mendable.has(heldOutId({ file: file.path, test })),
        })),
      );
      return { tests };
    } finally {
      for (const name of WORKSPACES) checkouts.named(name).clear();
    }
  });
}

const WORKSPACES = ["unseen", "mutants-1", "mutants-2"];

async function onMutants(run: Run, { tree, language, left }: SharperTests, laid: string, files: string[]) {
  const { artifacts, checkouts, sandbox, signal } = run.parts;
  const toolchain = await run.parts.languages.toolchain(language, run.request.directory, tree);
  const around = { language, toolchain, sandbox, signal, limits: run.settings.sandbox.limits };
  const read = (path: string) => artifacts.readFile(tree, path)?.toString("utf8") ?? null;
  const layOut = async (name: string) => {
    const checkout = checkouts.named(name);
    await checkout.renew(laid);
    return { directory: checkout.directory, renew: () => checkout.renew(laid) };
  };
  const paths = [...new Set(left.map(({ path }) => path))];
  const { directory } = await layOut("unseen");
  const traced = await traceTests({ ...around, workspace: directory, files, paths, read });
  const { results } = await runMutants({
    ...around,
    mutants: left,
    read,
    parsers: run.parts.parsers,
    baseline: traced,
    makeWorkspace: layOut,
    parallel: WORKSPACES.length - 1,
    budgetMs: BUDGET_MS,
  });
  const killed = (file: string, name: string) => {
    const ids = new Set(traced.report.tests.filter((test) => isNamed(test, file, name)).map(({ id }) => id));
    return results.filter(({ killedBy }) => killedBy.some((id) => ids.has(id))).map(({ mutant }) => mutant.id);
  };
  return { report: traced.report, killed };
}

function outcomeOf(
  report: TestReport,
  file: string,
  name: string,
): Pick<SharpenedRun["tests"][number], "outcome" | "message"> {
  const cases = report.tests.filter((test) => isNamed(test, file, name));
  const red = cases.find(isRed);
  if (red) return { outcome: "red", message: red.message.slice(-LONGEST_MESSAGE) };
  const isGreen = cases.length > 0 && cases.every(({ outcome }) => outcome === "passed");
  return { outcome: isGreen ? "passed" : "absent", message: "" };
}

/** Tests that only start programs run without the code of the change beside them. A sharper test must not end that. */
async function mendableTests(run: Run, { result, files, heldOut }: SharperTests): Promise<Set<string>> {
  const due = new Set(heldOut.tests.filter(mustRun).map(heldOutId));
  const running = heldOut.files.filter(({ path, covers }) =>
    covers.some(({ test }) => due.has(heldOutId({ file: path, test }))),
  );
  const isIsolated = running.length > 0 && (await isolatedPrograms(run, result, running)) !== null;
  if (isIsolated && (await isolatedPrograms(run, result, [...running, ...files])) === null) return new Set();
  const { pairs } = await makeTwins(run.parts.parsers, files, "examination");
  return new Set(pairs.map(({ of }) => heldOutId({ file: of.path, test: of.test })));
}
