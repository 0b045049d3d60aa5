import type { Dispute } from "../../domain/evidence/dispute.ts";
import { type HeldOutTest, heldOutId } from "../../domain/evidence/held-out.ts";
import type { Measured } from "../../domain/evidence/measured.ts";
import type { Sharpened } from "../../domain/evidence/sharpened.ts";
import type { SpeedReport } from "../../domain/evidence/speed.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { WitnessReport } from "../../domain/evidence/witness-report.ts";
import { changesBehaviour } from "../../domain/plan/spec.ts";
import { needsUnseen } from "../../verify/written-tests/judge-tests.ts";
import type { Run } from "../hands/run.ts";
import type { TodoResult } from "../todo/todo-work.ts";
import { measureResult } from "./measure-result.ts";
import { proveUnseen, type UnseenEnd, type UnseenWork } from "./prove-unseen.ts";
import { sharpenTests } from "./sharpen-tests.ts";

export interface FinishedChange extends UnseenWork {
  baseline: TestReport | null;
  /** Tests of the project that are flaky without any change. */
  quarantined: string[];
}

export interface ChangeProof {
  result: TodoResult;
  heldOut: HeldOutTest[];
  disputes: Dispute[];
  measured?: Measured;
  sharpened?: Sharpened;
  speed?: SpeedReport[];
  witness?: WitnessReport;
}

/** Time limit for mutants: after this long no new mutant is begun. */
const SMALL_BUDGET_MS = 20_000;
const LARGE_BUDGET_MS = 60_000;

/**
 * Decides whether a finished change may be believed. Tests that the coder never saw come first, then the question
 * whether those tests can fail. Mutants that no test notices go to the tester once. If a sharper test finds a fault
 * that the spec names, the change goes back to the coder.
 */
export async function proveChange(run: Run, change: FinishedChange): Promise<ChangeProof> {
  const first = await proveUnseen(run, change);
  if (isLost(first) || !needsUnseen(change.wanted.planned.spec)) return proofOf(first);
  const measured = await measure(run, change, first);
  const sharper = await sharpenTests(run, {
    wanted: change.wanted,
    visible: change.tests.files,
    unseen: first,
    measured,
    tree: measuredTrees(change, first).tree,
  });
  if (!sharper) return { ...proofOf(first), measured };
  const { sharpened, missing, files, notes } = sharper;
  const disputes = [...first.disputes, ...sharper.disputes];
  if (missing.length === 0) return { ...proofOf({ ...first, disputes }), measured, sharpened };
  const again = await proveUnseen(run, {
    ...change,
    result: first.result,
    tests: { ...change.tests, heldOut: [...first.tests, ...missing], heldOutFiles: [...first.files, ...files] },
    before: { rounds: first.rounds, disputes, notes },
  });
  if (isLost(again)) return { ...proofOf(again), sharpened };
  const measuredAgain = await measure(run, change, again);
  return { ...proofOf(again), measured: measuredAgain, sharpened: withMended(sharpened, again.tests) };
}

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

const proofOf = ({ result, tests, disputes, speed, witness, failure }: UnseenEnd): ChangeProof => ({
  result: failure ? { ...result, settled: { ok: false, failure } } : result,
  heldOut: tests,
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
    budgetMs: small ? SMALL_BUDGET_MS : LARGE_BUDGET_MS,
    repeats: small ? 1 : 2,
    own: baseline && { baseline, flaky: quarantined },
  });
}
