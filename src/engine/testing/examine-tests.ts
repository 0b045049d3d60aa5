import { z } from "zod";
import { Asked } from "../../domain/approval.ts";
import { TerminalFailure } from "../../domain/failure.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Language } from "../../languages/language.ts";
import type { Missing, StubKind } from "../../languages/stub.ts";
import { specText } from "../../verify/held-out/quote.ts";
import { packagesOf, readUses } from "../../verify/held-out/read-uses.ts";
import { makeTwins } from "../../verify/held-out/twin.ts";
import { Sources, unfounded, unfoundedModules } from "../../verify/held-out/unfounded.ts";
import { findMissing, stubFiles } from "../../verify/stubs/make-stubs.ts";
import { RedRuns } from "../../verify/written-tests/red-check.ts";
import { untilAnswered } from "../hands/approve.ts";
import { baseTree } from "../hands/base-tree.ts";
import type { Run } from "../hands/run.ts";
import { runTestsIn, testCounts } from "../hands/run-tests.ts";
import { objection } from "../hands/tool-outcome.ts";
import { foreignPackages } from "./foreign-packages.ts";

const About = z.object({ id: z.string(), why: z.string() });

/** What is known of new tests before any code is written. */
export const Examination = z.lazy(() =>
  z.object({
    /** Test files at paths that the tree already has. Those files belong to the project and stay. */
    taken: z.array(z.string()),
    /** Test files that import packages which are neither installed nor asked for. */
    strangers: z.array(About),
    /** Held-out tests that expect something no source mentions. */
    unfounded: z.array(About),
    /** Held-out tests for which no twin can be made. */
    untwinned: z.array(About),
    runs: RedRuns,
    /** Why the tests were not run. */
    refused: z.string().optional(),
    asks: Asked.optional(),
  }),
);
export type Examination = z.infer<typeof Examination>;

export interface NewTests {
  tree: string;
  language: Language;
  spec: Spec;
  files: TestFile[];
  /** Tests that were accepted before. A held-out test may use what they say. */
  visible: TestFile[];
}

/** Reads new tests and runs them on the tree before the change. Tests of something new also run on stub trees. */
export async function examineTests(run: Run, about: NewTests): Promise<Examination> {
  const end = await untilAnswered(run, "red-check", () => examinationStep(run, about));
  return "done" in end ? end.done : { ...NOTHING, refused: end.denied };
}

const NOTHING: Examination = {
  taken: [],
  strangers: [],
  unfounded: [],
  untwinned: [],
  runs: { base: null, stubs: null, onStubs: [] },
};

function examinationStep(run: Run, about: NewTests): Promise<Examination> {
  const { tree, spec, files, visible } = about;
  const input = { tree, spec, files, visible };
  return run.step({ kind: "tool", name: "red-check", input, output: Examination }, async ({ emit }) => {
    const { parsers, artifacts } = run.parts;
    const base = baseTree(artifacts, tree);
    const taken = files.map((file) => file.path).filter((path) => base.has(path));
    const laid = artifacts.overlay(
      run.task,
      tree,
      files.map(({ path, content }) => ({ path, content })),
    );
    const objected = await objection(run.parts.warden.checkCode(laid));
    if (objected && "asks" in objected) return { ...NOTHING, asks: objected.asks };
    if (objected) {
      emit(objected.refused.event);
      return { ...NOTHING, refused: objected.refused.content };
    }
    const checkout = run.parts.checkouts.named("unseen");
    await checkout.renew(tree);
    const foreign = await foreignPackages(run, about.language, await packagesOf(parsers, files), {
      base,
      tree,
      workspace: checkout.directory,
    });
    const said = [run.request.goal, specText("", spec), ...base.texts()];
    const seen = [...visible, ...files.filter((file) => !file.heldOut)].map((file) => file.content);
    const strangers: z.infer<typeof About>[] = [];
    const groundless: z.infer<typeof About>[] = [];
    const missing = new Map<string, Missing[]>();
    const look = async (file: TestFile): Promise<void> => {
      const uses = await readUses(parsers, file, foreign);
      if (!uses) return;
      const unknown = unfoundedModules(uses, new Sources(said));
      if (unknown.length > 0) strangers.push({ id: file.path, why: unknown.join(", ") });
      const needed = await findMissing(parsers, file, base, foreign);
      if (needed.length > 0) missing.set(file.path, needed);
      if (!file.heldOut) return;
      const sources = new Sources([...said, ...seen]);
      for (const test of uses.tests) {
        const words = unfounded(test, sources);
        if (words.length > 0) groundless.push({ id: `${file.path}::${test.name}`, why: words.join(", ") });
      }
    };
    for (const file of files) {
      await look(file).catch((error: unknown) => {
        // A fault of ours leaves this undone and ends no task: the runs alone must tell.
        if (error instanceof TerminalFailure) throw error;
        const why = error instanceof Error ? error.message : String(error);
        emit({ type: "warning-raised", code: "tests.unread", message: `${file.path} could not be read: ${why}` });
      });
    }
    const hidden = files.filter((file) => file.heldOut);
    const { without } = await makeTwins(parsers, hidden, "examination");
    const usable = taken.length === 0 && strangers.length === 0;
    const runs = usable ? await runAll(run, about, missing, base) : { base: null, stubs: null, onStubs: [] };
    for (const report of [runs.base, runs.stubs?.raising]) if (report) emit(testCounts("red-check", report));
    checkout.clear();
    const untwinned = without.map(({ path, test, why }) => ({ id: `${path}::${test}`, why }));
    return { taken, strangers, unfounded: groundless, untwinned, runs };
  });
}

async function runAll(
  run: Run,
  { tree, language, files }: NewTests,
  missing: Map<string, Missing[]>,
  base: ReturnType<typeof baseTree>,
): Promise<RedRuns> {
  const { artifacts, journal } = run.parts;
  const plain = ({ path, content }: TestFile) => ({ path, content });
  const runOver = (over: { path: string; content: string }[], tests: TestFile[]) => {
    const laid = artifacts.overlay(journal.task, tree, [...over, ...tests.map(plain)]);
    const paths = tests.map((file) => file.path);
    return runTestsIn(run, { checkout: "unseen", tree: laid, language, files: paths });
  };
  const old = files.filter((file) => !missing.has(file.path));
  const fresh = files.filter((file) => missing.has(file.path));
  const onBase = old.length > 0 ? await runOver([], old) : null;
  const needed = [...missing.values()].flat();
  const onStub = (kind: StubKind) => runOver(stubFiles(needed, kind, base), fresh);
  const stubs =
    fresh.length > 0
      ? { raising: await onStub("raising"), default: await onStub("default"), sentinel: await onStub("sentinel") }
      : null;
  return { base: onBase, stubs, onStubs: fresh.map((file) => file.path) };
}
