import type { Dispute } from "../../domain/evidence/dispute.ts";
import {
  forNewChange,
  type HeldOutTest,
  heldOutId,
  MOST_ROUNDS,
  nextUnseen,
  settleDispute,
  spend,
  type UnseenRounds,
} from "../../domain/evidence/held-out.ts";
import { describeSpeed, fallsShort, type SpeedReport } from "../../domain/evidence/speed.ts";
import type { WitnessReport } from "../../domain/evidence/witness-report.ts";
import { type Failure, isOutside, TerminalFailure } from "../../domain/failure.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { editionStrand, mendStrand } from "../../domain/task/step-path.ts";
import type { Run } from "../hands/run.ts";
import type { TestsWanted } from "../testing/ask-for-tests.ts";
import { replaceTests } from "../testing/write-tests.ts";
import type { WrittenTests } from "../testing/written-tests.ts";
import { type Attempt, nextAttempt } from "../todo/attempt.ts";
import { runTodo } from "../todo/run-todo.ts";
import type { TodoResult, TodoWork } from "../todo/todo-work.ts";
import { measureSpeed, notMeasured } from "./measure-speed.ts";
import { runUnseen } from "./run-unseen.ts";
import { judgeDispute } from "./settle-dispute.ts";
import { witnessUnseen } from "./witness-unseen.ts";

export interface UnseenWork {
  wanted: TestsWanted;
  tests: WrittenTests;
  /** The finished change: every visible test is green. */
  result: TodoResult;
  /** The work that the coder continues when a behaviour is missing, and the attempt that led here. */
  work: TodoWork;
  attempt: Attempt;
  /** The edition of the plan that led to the change. */
  edition: number;
  /** State of an earlier look at the same change: what the coder was told, the disputes, and how often it mended. */
  before?: { rounds: Rounds; disputes: Dispute[]; notes: ReadonlyMap<string, string> };
  /** What the coder is asked to mend before anything is run. */
  told?: string[];
}

interface Rounds extends UnseenRounds {
  /** How often the coder was told that its code works only where it is tested. */
  witnessed: number;
}

export interface UnseenEnd {
  result: TodoResult;
  tests: HeldOutTest[];
  files: TestFile[];
  disputes: Dispute[];
  /** For a goal about speed: the measurements before and after. */
  speed?: SpeedReport[];
  /** The unseen tests once more, without their runner; absent where they never all passed. */
  witness?: WitnessReport;
  rounds: Rounds;
  /** Why the change cannot be believed; null if nothing speaks against it. */
  failure: Failure | null;
}

/**
 * The part of the gate that no coder can prepare for: tests it never saw, on the finished change. `nextUnseen` decides
 * what follows from their results. The coder is told a missing behaviour in the spec's words, never the test.
 */
export async function proveUnseen(run: Run, unseen: UnseenWork): Promise<UnseenEnd> {
  const { wanted, work, attempt } = unseen;
  const { spec } = wanted.planned;
  const requirements = spec.requirements.map((item) => item.id);
  const rounds: Rounds = { mended: 0, replaced: 0, witnessed: 0, ...unseen.before?.rounds };
  const disputes: Dispute[] = [...(unseen.before?.disputes ?? [])];
  const notes = new Map<string, string>(unseen.before?.notes);
  const files: TestFile[] = [...unseen.tests.heldOutFiles];
  let tests = spend(unseen.tests.heldOut, unseen.result.spent ?? [], "it chose between candidates");
  let result = unseen.result;
  let speed: SpeedReport[] | undefined;
  let witness: WitnessReport | undefined;
  const end = (failure: Failure | null): UnseenEnd => ({
    result,
    tests,
    files,
    disputes,
    rounds,
    ...(speed && { speed }),
    ...(witness && { witness }),
    failure,
  });
  /** Asks the coder once more, with the missing behaviour. Null when the result is green. */
  const mend = async (told: string[]): Promise<Failure | null> => {
    rounds.mended += 1;
    const name = `mend-${rounds.mended}`;
    const next = nextAttempt(attempt, { reason: "mend", name, tree: result.tree, notes: told });
    const mended = await run.child(editionStrand(mendStrand(rounds.mended), unseen.edition), (own) =>
      runTodo(own, work, next),
    );
    result = { ...mended, tampering: [...result.tampering, ...mended.tampering] };
    tests = forNewChange(tests);
    witness = undefined;
    return mended.settled.ok ? null : mended.settled.failure;
  };
  if (unseen.told) {
    const failure = await mend(unseen.told);
    // A change that stayed as it was is known already.
    if (failure || result.tree === unseen.result.tree) return end(failure);
  }
  for (;;) {
    const step = nextUnseen(tests, requirements, rounds);
    switch (step.next) {
      case "run":
        tests = await runUnseen(run, {
          tree: result.tree,
          before: wanted.survey.tree,
          language: wanted.language,
          files,
          tests,
        });
        break;
      case "refuse":
        return end(refusal(step.tests));
      case "dispute":
        for (const test of step.tests) {
          const file = files.find((one) => one.path === test.file);
          if (!file) throw new Error(`the file of ${heldOutId(test)} is gone`);
          const visible = unseen.tests.files;
          const settled = await judgeDispute(run, { spec, test, file, visible, tree: result.tree });
          disputes.push(settled.dispute);
          notes.set(heldOutId(test), settled.note);
          tests = tests.map((one) => (one === test ? settleDispute(one, settled.dispute) : one));
        }
        break;
      case "mend": {
        const told = [...new Set(step.tests.map((test) => notes.get(heldOutId(test)) ?? UNFINISHED))];
        const failure = await mend([MISSING, ...told]);
        if (failure) return end(failure);
        break;
      }
      case "replace": {
        rounds.replaced += 1;
        const { requirements: bare } = step;
        const about = { requirements: bare, used: files, visible: unseen.tests.files, round: rounds.replaced };
        const replaced = await replaceTests(run, wanted, about).catch(failureAlone);
        if ("failure" in replaced) return end(replaced.failure);
        files.push(...replaced.files);
        tests = [...tests, ...replaced.heldOut];
        break;
      }
      case "give-up":
        return end({ kind: "logic", code: "unseen.red", message: `the visible tests are green, but ${step.reason}` });
      case "done": {
        witness = await witnessUnseen(run, { tree: result.tree, language: wanted.language, files, tests });
        const apart = onlyTested(tests, witness);
        if (apart.length > 0) {
          const message = `${apart.join(", ")} works only where it is tested: the tests pass in their runner, and fail where the code is used without it`;
          if (rounds.witnessed > 0) return end({ kind: "logic", code: "witness.differs", message });
          rounds.witnessed += 1;
          const failure = await mend([APART, ...apart]);
          if (failure) return end(failure);
          break;
        }
        speed = await speedOf(run, unseen, result.tree);
        const short = speed?.filter(fallsShort) ?? [];
        if (short.length === 0) return end(null);
        const told = short.map((one) => `${one.requirement}: ${describeSpeed(one)}`);
        if (rounds.mended >= MOST_ROUNDS) return end({ kind: "logic", code: "speed.short", message: told.join("; ") });
        const failure = await mend([SLOW, ...told]);
        if (failure) return end(failure);
        break;
      }
    }
  }
}

/** Undefined if the goal is not about speed, or was planned before speed was measured. */
async function speedOf(
  run: Run,
  { wanted, tests: { benchmarks, unmeasured = [] } }: UnseenWork,
  after: string,
): Promise<SpeedReport[] | undefined> {
  if (!benchmarks) return undefined;
  const bare = unmeasured.map(({ requirement, why }) => notMeasured(requirement, why));
  if (benchmarks.length === 0) return bare;
  const about = { spec: wanted.planned.spec, language: wanted.language, files: benchmarks };
  return [...(await measureSpeed(run, { before: wanted.survey.tree, after }, about)), ...bare];
}

/** The requirements whose tests fail without their runner. */
const onlyTested = (tests: HeldOutTest[], witness: WitnessReport): string[] => {
  const red = new Set(witness.tests.filter(({ outcome }) => outcome === "failed").map(({ id }) => id));
  return [...new Set(tests.filter((test) => red.has(heldOutId(test))).map(({ requirement }) => requirement))];
};

const APART =
  "All tests pass, but the code works only where it is tested. It was also used as a person uses it: in another directory, with the variables of a login shell, in a git repository, and without a test runner in the process. There it does not do what these requirements say. Code may not depend on how it is started or on who calls it:";
const SLOW =
  "All given tests pass, but the goal is about speed. It was measured, on inputs that you cannot see, in fresh processes, before and after your change:";
const MISSING =
  "All given tests pass, but the work does not yet do everything that was asked. A check that you cannot see found this; read the requirements again and solve it in general.";
const UNFINISHED = "A check did not come to its end: something hangs, ends the process or uses too much.";

/** If the tester gives no further test, only the proof ends. The change stays. */
export function failureAlone(error: unknown): { failure: Failure } {
  if (!(error instanceof TerminalFailure) || isOutside(error.failure.kind)) throw error;
  return { failure: error.failure };
}

function refusal(tests: HeldOutTest[]): Failure {
  const [first] = tests;
  const message = `the change tampers with its tests: ${first?.reason ?? ""}`;
  return {
    kind: "policy",
    code: "tests.tampered",
    message,
    detail: tests.map((test) => `${test.requirement}: ${test.reason}`).join("\n"),
  };
}
