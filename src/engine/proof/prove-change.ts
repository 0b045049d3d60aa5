import { type AccountLine, openLines, placeOf } from "../../domain/evidence/account.ts";
import type { Dispute } from "../../domain/evidence/dispute.ts";
import { type HeldOutTest, heldOutId } from "../../domain/evidence/held-out.ts";
import type { Measured } from "../../domain/evidence/measured.ts";
import type { Sharpened } from "../../domain/evidence/sharpened.ts";
import type { SpeedReport } from "../../domain/evidence/speed.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { WitnessReport } from "../../domain/evidence/witness-report.ts";
import { changesBehaviour } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { needsUnseen } from "../../verify/written-tests/judge-tests.ts";
import type { Run } from "../hands/run.ts";
import type { TodoResult } from "../todo/todo-work.ts";
import { accountResult } from "./account-result.ts";
import { askToLeave } from "./ask-to-leave.ts";
import { measureResult } from "./measure-result.ts";
import { proveUnseen, type UnseenEnd, type UnseenWork } from "./prove-unseen.ts";
import { sharpenTests } from "./sharpen-tests.ts";

export interface FinishedChange extends UnseenWork {
  baseline: TestReport | null;
  /** Tests of the project that are flaky without any change. */
  quarantined: string[];
  /** What came of sharper tests, if the tester was asked for them already, and their files. */
  sharpened?: Sharpened;
  sharper?: TestFile[];
}

export interface ChangeProof {
  result: TodoResult;
  heldOut: HeldOutTest[];
  /** The files of the tests that the coder did not see, sharper ones included. */
  unseen: TestFile[];
  disputes: Dispute[];
  measured?: Measured;
  sharpened?: Sharpened;
  speed?: SpeedReport[];
  witness?: WitnessReport;
  /** Every place of the change with its standing; absent where the change was lost before. */
  account?: AccountLine[];
}

/** Time limit for mutants: after this long no new mutant is begun. */
const SMALL_BUDGET_MS = 20_000;
const LARGE_BUDGET_MS = 60_000;

/**
 * Decides whether a finished change may be believed. Tests that the coder never saw come first, then the question
 * whether those tests can fail. Mutants that no test notices go to the tester once. If a sharper test finds a fault
 * that the spec names, the change goes back to the coder. At last every place of the change is accounted for: of those
 * that nothing shows and nobody asked for the coder is told once, and then a person is asked.
 */
export async function proveChange(run: Run, change: FinishedChange): Promise<ChangeProof> {
  const first = await believe(run, change);
  if (isLost(first.end)) return first.proof;
  const account = await accountOf(run, change, first);
  const open = openLines(account);
  if (open.length === 0) return { ...first.proof, account };
  const { end, proof } = first;
  const told = await believe(run, {
    ...change,
    result: end.result,
    tests: { ...change.tests, heldOut: end.tests, heldOutFiles: end.files },
    before: { rounds: end.rounds, disputes: proof.disputes, notes: new Map() },
    told: [UNASKED, ...open.slice(0, MOST_TOLD).map((line) => `${placeOf(line)}: ${line.why}`)],
    sharpened: proof.sharpened ?? { tests: [], why: "" },
    sharper: proof.unseen.filter(({ path }) => !end.files.some((file) => file.path === path)),
  });
  const isBetter = !isLost(told.end) && told.end.result.tree !== end.result.tree;
  const last = isBetter ? told : first;
  const after = isBetter ? await accountOf(run, change, told) : account;
  return { ...last.proof, account: await askToLeave(run, last.end.result.tree, after) };
}

const MOST_TOLD = 20;

const UNASKED =
  "All tests pass, but the change holds more than what was asked for: no test of a requirement notices the places below, and no requirement names them. Take each of them back, so that it is as it was before your work. Keep a place only if a requirement cannot be met without it, and say in your summary which one.";

/** A change with everything that was found out about it. */
interface Believed {
  end: UnseenEnd;
  proof: ChangeProof;
}

async function believe(run: Run, change: FinishedChange): Promise<Believed> {
  const first = await proveUnseen(run, change);
  const isKnown = change.told !== undefined && first.result.tree === change.result.tree;
  if (isLost(first) || isKnown || !needsUnseen(change.wanted.planned.spec))
    return { end: first, proof: proofOf(first) };
  const measured = await measure(run, change, first);
  const { sharper: earlier = [] } = change;
  if (change.sharpened)
    return { end: first, proof: { ...proofOf(first, earlier), measured, ...known(change.sharpened) } };
  const sharper = await sharpenTests(run, {
    wanted: change.wanted,
    visible: change.tests.files,
    unseen: first,
    measured,
    tree: measuredTrees(change, first).tree,
  });
  if (!sharper) return { end: first, proof: { ...proofOf(first), measured } };
  const { sharpened, missing, files, notes } = sharper;
  const disputes = [...first.disputes, ...sharper.disputes];
  if (missing.length === 0)
    return { end: first, proof: { ...proofOf({ ...first, disputes }, files), measured, sharpened } };
  const again = await proveUnseen(run, {
    ...change,
    result: first.result,
    tests: { ...change.tests, heldOut: [...first.tests, ...missing], heldOutFiles: [...first.files, ...files] },
    before: { rounds: first.rounds, disputes, notes },
  });
  if (isLost(again)) return { end: again, proof: { ...proofOf(again), sharpened } };
  const measuredAgain = await measure(run, change, again);
  const mended = withMended(sharpened, again.tests);
  return { end: again, proof: { ...proofOf(again, files), measured: measuredAgain, sharpened: mended } };
}

const known = (sharpened: Sharpened) => (sharpened.tests.length > 0 || sharpened.why !== "" ? { sharpened } : {});

function accountOf(run: Run, change: FinishedChange, { end, proof }: Believed): Promise<AccountLine[]> {
  const { baseline, quarantined } = change;
  const own = baseline && { baseline, flaky: quarantined };
  return accountResult(run, { change, end, measured: proof.measured, own, budgetMs: budgetOf(change) });
}

const budgetOf = ({ wanted }: FinishedChange): number =>
  wanted.planned.size === "small" ? SMALL_BUDGET_MS : LARGE_BUDGET_MS;

function withMended({ tests, why }: Sharpened, heldOut: HeldOutTest[]): Sharpened {
  const mended = new Set(
    heldOut.filter(({ state, outcome }) => state === "spent" && outcome === "passed").map(heldOutId),
  );
  return {
    why,
    tests: tests.map((test) => (test.end === "upheld" && mended.has(test.id) ? { ...test, end: "mended" } : test)),
  };
}

const isLost = ({ failure, result }: UnseenEnd): boolean => failure !== null || !result.settled.ok;

const proofOf = (
  { result, tests, files, disputes, speed, witness, failure }: UnseenEnd,
  sharper: TestFile[] = [],
): ChangeProof => ({
  result: failure ? { ...result, settled: { ok: false, failure } } : result,
  heldOut: tests,
  unseen: [...files, ...sharper.filter(({ path }) => !files.some((file) => file.path === path))],
  disputes,
  ...(speed && { speed }),
  ...(witness && { witness }),
});

/** If behaviour must stay, the tests describe the code before the change. So mutants are made from that code. */
function measuredTrees({ wanted }: FinishedChange, { result }: UnseenEnd): { tree: string; against: string } {
  const { tree: before } = wanted.survey;
  return changesBehaviour(wanted.planned.spec.kind)
    ? { tree: result.tree, against: before }
    : { tree: before, against: result.tree };
}

function measure(run: Run, change: FinishedChange, unseen: UnseenEnd): Promise<Measured> {
  const { wanted, tests, baseline, quarantined } = change;
  const small = wanted.planned.size === "small";
  return measureResult(run, {
    ...measuredTrees(change, unseen),
    result: unseen.result.tree,
    language: wanted.language,
    visible: tests.files,
    heldOutFiles: unseen.files,
    heldOut: unseen.tests,
    budgetMs: budgetOf(change),
    repeats: small ? 1 : 2,
    own: baseline && { baseline, flaky: quarantined },
  });
}
