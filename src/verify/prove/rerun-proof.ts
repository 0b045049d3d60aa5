import { randomBytes } from "node:crypto";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { heldOutId } from "../../domain/evidence/held-out.ts";
import { isNamed } from "../../domain/evidence/match-test.ts";
import type { MutantReport } from "../../domain/evidence/mutant-report.ts";
import { isRed, type TestReport } from "../../domain/evidence/test-report.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { traceTests } from "../../languages/trace-tests.ts";
import { changedLines } from "../change/changed-lines.ts";
import { changedLineCoverage, watchedPaths } from "../coverage/changed-line-coverage.ts";
import type { RecordedProof } from "../evidence/recorded-proof.ts";
import { judgeTwins } from "../held-out/judge-twins.ts";
import { makeTwins } from "../held-out/twin.ts";
import { mutantsIn, mutateTree } from "../measure/mutate-tree.ts";
import type { ProveParts } from "./prove-parts.ts";
import { NOTHING_RUN, type Rerun, together, twice } from "./rerun.ts";
import { accountAgain, witnessAgain } from "./rerun-account.ts";
import type { SuiteRunner } from "./suite-runner.ts";

/** The proof of a task once more: new tests on the old code, unseen ones with their twins and without a runner, mutants. */
export async function rerunProof(
  proof: RecordedProof,
  document: EvidenceDocument,
  project: string,
  suite: SuiteRunner,
  parts: ProveParts,
): Promise<Rerun> {
  const there = (trees: string[], what: string, part: () => Promise<Rerun>): Promise<Rerun> =>
    trees.every((tree) => parts.artifacts.has(tree))
      ? twice(part)
      : Promise.resolve({ ...NOTHING_RUN, notRepeated: [`${what}: the bundle does not hold their tree`] });
  const runs: Rerun[] = [];
  for (const red of proof.red) {
    runs.push(await there([red.tree], "the new tests on the old code", () => redAgain(red, suite, parts)));
  }
  const { unseen, mutants, witness, account } = proof;
  if (unseen) {
    runs.push(await there([unseen.tree], "the unseen tests", () => unseenAgain(unseen, suite, parts)));
  }
  if (mutants) {
    const { tree, against } = mutants;
    runs.push(await there([tree, against], "mutants", () => mutateAgain(mutants, document, suite, parts)));
  }
  if (witness) {
    runs.push(await there([witness.tree], "the second witness", () => witnessAgain(proof, project, suite, parts)));
  }
  if (account) {
    const { base, result } = account;
    const before = await suite.run("the tests of the base", base);
    runs.push(
      await there([base, result], "the account", () => accountAgain(proof, document.kind, before, suite, parts)),
    );
  }
  return together(runs);
}

type Text = Pick<TestFile, "path" | "content">;

const lay = ({ artifacts, task }: ProveParts, tree: string, files: readonly Text[]): string =>
  artifacts.overlay(
    task,
    tree,
    files.map(({ path, content }) => ({ path, content })),
  );

const wordOf = (outcome: boolean | undefined): string =>
  outcome === undefined ? "absent" : outcome ? "red" : "passed";

async function redAgain(
  { tree, files, report }: RecordedProof["red"][number],
  suite: SuiteRunner,
  parts: ProveParts,
): Promise<Rerun> {
  const ran = new Set(report.tests.map(({ file }) => file));
  const due = files.filter(({ path }) => ran.has(path));
  const names = due.map(({ path }) => path);
  const now = await suite.runFiles("the new tests on the old code", lay(parts, tree, due), names);
  const red = new Map(now.tests.map((test) => [test.id, isRed(test)]));
  const differences = report.tests
    .filter((test) => red.get(test.id) !== isRed(test))
    .map((test) => `${test.id} on the old code: ${wordOf(red.get(test.id))}, the journal says ${wordOf(isRed(test))}`);
  return { ...NOTHING_RUN, tests: report.tests.length, differences };
}

/** Each in disguise, beside a twin that must fail: code that knows its tests does not know these. */
async function unseenAgain(
  { tree, files, outcomes }: NonNullable<RecordedProof["unseen"]>,
  suite: SuiteRunner,
  parts: ProveParts,
): Promise<Rerun> {
  const { originals, twins, decoys, pairs } = await makeTwins(parts.parsers, files, randomBytes(16).toString("hex"));
  const run = (what: string, laid: Text[]): Promise<TestReport> =>
    suite.runFiles(
      what,
      lay(parts, tree, laid),
      laid.map(({ path }) => path),
    );
  const runs = {
    originals: await run("the tests that the coder did not see", originals),
    twins: await run("their twins, which must fail", twins),
    ...(decoys.length > 0 && { decoys: await run("their decoys, which must fail", decoys) }),
  };
  const found = new Map(
    pairs.map((pair) => {
      const { verdict } = judgeTwins(pair, runs);
      return [heldOutId({ file: pair.of.path, test: pair.of.test }), verdict];
    }),
  );
  const differences = outcomes.flatMap(({ id, outcome }) => {
    const now = found.get(id) ?? "absent";
    const said = outcome === "stopped" ? "red" : outcome;
    return now === said ? [] : [`${id} with its twin: ${now}, the journal says ${said}`];
  });
  return { ...NOTHING_RUN, tests: outcomes.length, differences };
}

const LONGEST_MUTATION_MS = 180_000;
const TEST_RUNS = 15;

async function mutateAgain(
  { tree, against, files, budgetMs, measured }: NonNullable<RecordedProof["mutants"]>,
  document: EvidenceDocument,
  suite: SuiteRunner,
  parts: ProveParts,
): Promise<Rerun> {
  const { artifacts, sandbox, limits, signal, parsers } = parts;
  const laid = lay(parts, tree, files);
  const given = new Set(files.map(({ path }) => path));
  const changed = new Map([...changedLines(artifacts, against, tree)].filter(([path]) => !given.has(path)));
  const read = (path: string) => artifacts.readFile(laid, path)?.toString("utf8") ?? null;
  const around = { language: suite.language, toolchain: suite.toolchainFor(laid), sandbox, limits, signal };
  parts.onProgress("watching which changed lines the tests run");
  const workspace = await parts.checkout("watched", laid);
  const paths = watchedPaths(changed);
  const traced = await traceTests({ ...around, workspace, files: [...given], paths, read });
  const makeWorkspace = async (name: string) => ({
    directory: await parts.checkout(name, laid),
    renew: async () => void (await parts.checkout(name, laid)),
  });
  const tested = { ...around, read, parsers, traced, makeWorkspace, onProgress: parts.onProgress };
  const coverage = await changedLineCoverage({ ...tested, changed });
  const all = await Promise.all([...changed].map(([path, lines]) => mutantsIn(tested, path, lines, { values: true })));
  const said = new Set(measured.mutants?.results.map(({ mutant }) => mutant.id));
  // Other values were given on only where nothing else was noticed.
  const made = all.flat().filter(({ id, operator }) => operator !== "value" || said.has(id));
  const room = Math.min(LONGEST_MUTATION_MS, Math.max(budgetMs, TEST_RUNS * traced.report.durationMs));
  const requirements = countingTests(files, document, traced.report);
  const now = await mutateTree(tested, "the changed lines", { mutants: made, requirements, budgetMs: room });
  const before = measured.coverage?.share ?? 0;
  const share = coverage?.share ?? 0;
  const less = share < before ? [`coverage of the changed lines: ${share}, the evidence says ${before}`] : [];
  const compared = compareMutants(measured.mutants, now, document.versions.miracle === parts.version);
  return { ...compared, tests: 0, differences: [...less, ...compared.differences] };
}

/** The tests of each requirement, without those that told the coder something or were ruled out. */
function countingTests(
  files: readonly Pick<TestFile, "path" | "covers">[],
  document: EvidenceDocument,
  report: TestReport,
) {
  const worthless = new Set(
    document.tests.filter(({ spent, role }) => spent === true || role === "void").map(({ id }) => id),
  );
  const found = new Map<string, string[]>();
  for (const { path, covers } of files) {
    for (const { test: name, requirement } of covers) {
      if (worthless.has(heldOutId({ file: path, test: name }))) continue;
      const ids = report.tests.filter((test) => isNamed(test, path, name)).map(({ id }) => id);
      found.set(requirement, [...(found.get(requirement) ?? []), ...ids]);
    }
  }
  return [...found].map(([id, tests]) => ({ id, tests: [...new Set(tests)] }));
}

/** What the evidence calls noticed must be noticed. That more is noticed here, or something took too long, is no fault. */
export function compareMutants(said: MutantReport | null, now: MutantReport | null, sameVersion: boolean): Rerun {
  const results = new Map((now?.results ?? []).map((result) => [result.mutant.id, result]));
  const known = new Map((said?.results ?? []).map((result) => [result.mutant.id, result]));
  if (now?.problem) return { ...NOTHING_RUN, notRepeated: [`mutants: ${now.problem}`], settled: false };
  const differences: string[] = [];
  for (const [id, { fate, mutant }] of known) {
    const found = results.get(id);
    if (found && (OVERSTATED[fate] ?? []).includes(found.fate)) {
      differences.push(`mutant ${id} (${mutant.description}): ${found.fate}, the evidence says ${fate}`);
    }
  }
  // Another version may make other mutants of the same lines.
  if (sameVersion) {
    const gone = [...known.keys()].filter((id) => !results.has(id));
    const more = [...results.keys()].filter((id) => !known.has(id));
    differences.push(...gone.map((id) => `mutant ${id}: the change has no such mutant`));
    differences.push(...more.map((id) => `mutant ${id}: the evidence does not have it`));
  }
  const groups = new Map((now?.requirements ?? []).map((group) => [group.id, group]));
  const isCut = (now?.counts.timedOut ?? 0) > 0;
  for (const { id, killed } of said?.requirements ?? []) {
    const group = groups.get(id);
    if (killed.length === 0 || !group || group.killed.length > 0 || (group.left ?? 0) > 0 || isCut) continue;
    differences.push(`${id}: its tests notice no mutant, the evidence says ${killed.length}`);
  }
  const left = now?.counts.notRun ?? 0;
  const notRepeated = left > 0 ? [`${left} of ${results.size} mutants: the time for them was up`] : [];
  return { tests: 0, mutants: results.size - left, differences, notRepeated, settled: left === 0 };
}

/** What it would be in truth, where the evidence says more for the tests. */
const OVERSTATED: Partial<Record<string, string[]>> = {
  killed: ["survived", "skipped"],
  compared: ["survived"],
  skipped: ["survived"],
};
