import { basename } from "node:path";
import { openLines, placeOf } from "../../domain/evidence/account.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { changesBehaviour, type GoalKind, LanguageName } from "../../domain/plan/spec.ts";
import { accountOfTask } from "../account/account-of-task.ts";
import type { RecordedProof } from "../evidence/recorded-proof.ts";
import { judgingTree } from "../integrity/judging-tree.ts";
import { witnessTests } from "../witness/witness-tests.ts";
import type { ProveParts } from "./prove-parts.ts";
import { NOTHING_RUN, type Rerun } from "./rerun.ts";
import type { SuiteRunner } from "./suite-runner.ts";

/** Every place of a task's change once more. What the evidence calls judged must be judged; that more is, is no fault. */
export async function accountAgain(
  { account, mutants }: RecordedProof,
  kind: GoalKind | undefined,
  before: TestReport | null,
  suite: SuiteRunner,
  parts: ProveParts,
): Promise<Rerun> {
  if (!account) return NOTHING_RUN;
  const { artifacts, task, parsers, languages } = parts;
  const { base, result, files, asked, leave, budgetMs } = account;
  const trees = { base, result };
  const isTest = (path: string) => LanguageName.options.some((name) => languages.named(name).isTestFile(path));
  const changes = artifacts.changes(base, result);
  const judging = await judgingTree(parts, trees, changes, isTest, { mayBegin: false });
  parts.onProgress("accounting for the whole change");
  const layOut = async (name: string, tree: string) => ({
    directory: await parts.checkout(name, tree),
    renew: async () => void (await parts.checkout(name, tree)),
  });
  const now = await accountOfTask({
    ...{ artifacts, task, parsers, trees, isTest, asked: forPeople(asked), leave, layOut, budgetMs },
    ...{ sandbox: parts.sandbox, limits: parts.limits, signal: parts.signal },
    language: suite.language,
    toolchain: suite.toolchainFor(judging.tree),
    judged: judging.tree,
    tests: files,
    // Where behaviour must stay, the mutants were those of the code before.
    measured: mutants?.tree === result ? mutants.measured : null,
    behaves: kind !== undefined && changesBehaviour(kind),
    own: before && { baseline: before, flaky: [] },
  });
  const said = new Set(openLines(account.lines).map(placeOf));
  const differences = openLines(now)
    .filter((line) => !said.has(placeOf(line)))
    .map((line) => `${placeOf(line)}: not judged (${line.why}), the evidence does not say so`);
  return { ...NOTHING_RUN, differences };
}

type Asked = NonNullable<RecordedProof["account"]>["asked"];
const forPeople = ({ packages, ...asked }: Asked) => ({ ...asked, ...(packages !== undefined && { packages }) });

/** The unseen tests once more without their runner. */
export async function witnessAgain(
  { witness }: RecordedProof,
  project: string,
  suite: SuiteRunner,
  parts: ProveParts,
): Promise<Rerun> {
  if (!witness) return NOTHING_RUN;
  const { tree, ids, files, report } = witness;
  parts.onProgress("running the unseen tests as a person would use the code");
  const { sandbox, limits, signal } = parts;
  const { language } = suite;
  const now = await witnessTests({
    ...{
      sandbox,
      limits,
      signal,
      language,
      toolchain: suite.toolchainFor(tree),
      project: basename(project),
      files,
      ids,
    },
    layOut: () => parts.checkout("witness", tree),
  });
  const red = new Set(now.tests.filter(({ outcome, unlike }) => outcome === "failed" || unlike).map(({ id }) => id));
  const differences = report.tests
    .filter(({ id, outcome }) => outcome === "passed" && red.has(id))
    .map(({ id }) => `${id} without its runner: failed, the journal says passed`);
  return { ...NOTHING_RUN, tests: now.tests.filter(({ outcome }) => outcome !== "not-run").length, differences };
}
