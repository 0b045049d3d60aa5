import { z } from "zod";
import { type HeldOutTest, heldOutId, mustRun } from "../../domain/evidence/held-out.ts";
import { distance } from "../../domain/loop/iteration.ts";
import type { BranchTodo } from "../../domain/plan/branch.ts";
import { type Candidate, chooseCandidate, needsUnseenToChoose } from "../../domain/plan/candidate.ts";
import { candidateStep, candidateStrand } from "../../domain/task/step-path.ts";
import type { Run } from "../hands/run.ts";
import { Stopped } from "../hands/stop.ts";
import { TodoRuns } from "../hands/todo-runs.ts";
import { runUnseen } from "../proof/run-unseen.ts";
import { type Attempt, nextAttempt, withNote } from "../todo/attempt.ts";
import { runTodo } from "../todo/run-todo.ts";
import type { TodoGuard } from "../todo/todo-limits.ts";
import type { PlannedTodo, TodoResult, Worked } from "../todo/todo-work.ts";

export interface CandidateWork {
  /** The strand that the candidates branch off. */
  name: string;
  branch: BranchTodo;
  work: PlannedTodo;
  /** The attempt that failed, what came of it, and what stayed red in it. */
  attempt: Attempt;
  guard: TodoGuard;
  failed: TodoResult;
  red: string;
  /** One for each candidate. */
  instructions: string[];
}

/**
 * Tries several explanations, each on its own strand and in its own checkouts. They run at once if the task works on
 * several todos at once, otherwise one after another until one is green. Tests choose between them, never a model. The
 * tests that chose are spent: they no longer support a verdict.
 */
export async function runCandidates(run: Run, wanted: CandidateWork): Promise<TodoResult> {
  const { limits } = run.settings;
  const worked = limits.parallel > 1 ? await atOnce(run, wanted) : await inTurn(run, wanted);
  const { work, failed } = wanted;
  const { todo } = work.subject;
  const weighed: Candidate[] = [];
  for (const [index, { result }] of worked.entries()) weighed.push(await weigh(run, failed.tree, index + 1, result));
  const unseen = needsUnseenToChoose(weighed)
    ? await compareUnseen(run, work, weighed)
    : new Map<number, HeldOutTest[]>();
  const chosen = chooseCandidate(weighed);
  // A test that is red on the chosen candidate is not spent: it is handled like every red test.
  const used: HeldOutTest[] = unseen.get(chosen.number) ?? [];
  const spent = used.filter((test) => !isUnpassed(test)).map(heldOutId);
  const heads = worked.map(({ head }) => head);
  await run.step(
    { kind: "decision", name: "candidate-chosen", input: { weighed, heads }, output: z.int() },
    async ({ emit }) => {
      emit({ type: "candidate-chosen", todo: todo.id, chosen: chosen.number, candidates: weighed });
      return chosen.number;
    },
  );
  const result = worked[chosen.number - 1]?.result;
  if (!result) throw new Error(`candidate ${chosen.number} has no result`);
  const tampering = worked.flatMap((one) => one.result.tampering);
  return { ...result, tampering, ...(spent.length > 0 && { spent }) };
}

async function inTurn(run: Run, wanted: CandidateWork): Promise<Worked[]> {
  const worked: Worked[] = [];
  for (let number = 1; number <= wanted.instructions.length; number += 1) {
    worked.push(await runOne(run, wanted, number));
    if (worked.at(-1)?.result.settled.ok) break;
  }
  return worked;
}

async function atOnce(run: Run, wanted: CandidateWork): Promise<Worked[]> {
  const stop = new AbortController();
  const todoRuns = new TodoRuns(run);
  const running = wanted.instructions.map(async (_, index) => {
    const id = `${wanted.branch.id}-${index + 1}`;
    try {
      return await runOne(todoRuns.of({ ...wanted.work.subject.todo, id }, stop.signal), wanted, index + 1);
    } catch (error) {
      // A failure that ends one candidate ends all of them: the budget is used up, or the person stopped the run.
      stop.abort(new Stopped("interrupted"));
      throw error;
    } finally {
      todoRuns.leave({ ...wanted.work.subject.todo, id });
    }
  });
  const ended = await Promise.allSettled(running);
  const failed =
    ended.find((end) => end.status === "rejected" && !(end.reason instanceof Stopped)) ??
    ended.find((end) => end.status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return ended.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
}

function runOne(
  run: Run,
  { name, branch, work, attempt, guard, failed, red, instructions }: CandidateWork,
  number: number,
): Promise<Worked> {
  const maxIterations = branch.maxAttempts;
  const about = { reason: "candidate", name: `${branch.id}-${number}`, failed, red, maxIterations } as const;
  const candidate = nextAttempt(attempt, about);
  return run.child(candidateStrand(name, number), async (run) => {
    const result = await runTodo(run, work, withNote(candidate, debuggerSays(instructions[number - 1] ?? "")), {
      guard,
    });
    return { result, head: run.head };
  });
}

export const debuggerSays = (instructions: string): string => `Somebody debugged this:
${instructions}`;

async function weigh(
  run: Run,
  from: string,
  number: number,
  { settled, tree, iterations, gate }: TodoResult,
): Promise<Candidate> {
  const input = { from, to: tree };
  const changedLines = await run.step(
    { kind: "tool", name: candidateStep(number, "size"), input, output: z.int(), durable: false },
    async () => (await run.parts.artifacts.diff(input.from, input.to)).match(/^[+-](?![+-]{2} )/gm)?.length ?? 0,
  );
  return {
    number,
    tree,
    green: settled.ok,
    red: settled.ok ? 0 : Math.min(...iterations.map(distance)),
    unseenRed: null,
    changedLines,
    durationMs: gate?.report?.durationMs ?? 0,
  };
}

/** Adds the results of unseen tests to the green candidates. Returns the outcome of each test by candidate. */
async function compareUnseen(
  run: Run,
  { subject, language }: PlannedTodo,
  weighed: Candidate[],
): Promise<Map<number, HeldOutTest[]>> {
  const found = new Map<number, HeldOutTest[]>();
  const { unseen } = subject;
  const due = unseen.tests.filter(mustRun);
  if (due.length === 0) return found;
  for (const candidate of weighed.filter(({ green }) => green)) {
    const { files, before } = unseen;
    const ran = await runUnseen(run, { tree: candidate.tree, before, language, files, tests: due });
    candidate.unseenRed = ran.filter(isUnpassed).length;
    found.set(candidate.number, ran);
  }
  return found;
}

const isUnpassed = ({ outcome }: HeldOutTest): boolean => outcome !== "passed";
