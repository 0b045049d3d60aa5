import { z } from "zod";
import { clip } from "../../agents/tools/clip.ts";
import type { BranchTodo } from "../../domain/plan/branch.ts";
import { personStrand } from "../../domain/task/step-path.ts";
import { approve } from "../hands/approve.ts";
import type { Approvals } from "../hands/parts.ts";
import type { Run } from "../hands/run.ts";
import { withRewritten } from "../testing/written-tests.ts";
import { nextAttempt, withNote } from "../todo/attempt.ts";
import { runTodo } from "../todo/run-todo.ts";
import type { TodoResult, Worked } from "../todo/todo-work.ts";
import { type StuckTodo, settleBranch } from "./branch-todo.ts";
import { diagnose } from "./diagnose.ts";

const RED_CHARACTERS = 2000;
const SHOWN_ATTEMPTS = 5;

/**
 * Every role has tried, and the todo is still red. A person is asked, if one is there or the task may wait for one.
 * Their words become the instructions of one more branch. Without words the todo ends as it stands.
 */
export async function askPerson(run: Run, { name, work, attempt }: StuckTodo, ended: Worked): Promise<Worked> {
  const { result, head, finding = "" } = ended;
  const { todo } = work.subject;
  const { limits } = run.settings;
  return run.child(personStrand(name), async (run) => {
    // Whether a person was there is recorded, so that a resume elsewhere continues in the same way.
    const there = await run.step(
      { kind: "decision", name: "person-there", input: { head, tree: result.tree }, output: z.boolean() },
      async () => canAnswer(run.parts.approvals),
    );
    if (!there) return { ...ended, head: run.head };
    const question = `todo ${todo.id} (${todo.title}) stays red; how should it go on?`;
    const detail = describe(result, finding);
    const answer = await approve(run, {
      name: "question",
      input: { question, detail },
      ask: async () => ({ subject: "question", question, detail, todo: todo.id }),
    });
    const words = answer.granted ? answer.reason.trim() : "";
    if (words === "") return { ...ended, head: run.head };
    const branch: BranchTodo = {
      id: `${todo.id}-hint`,
      parent: todo.id,
      reason: "implementation_bug",
      finding: `${answer.by} was asked`,
      instructions: words,
      maxAttempts: Math.max(1, todo.debugAttempts ?? limits.debugAttempts),
    };
    await run.note(
      { kind: "decision", name: "branch", input: { branch, tree: result.tree } },
      { type: "todo-branched", branch },
    );
    const { rewritten = [] } = result;
    const { id, maxAttempts } = branch;
    const { red } = diagnose(result);
    const next = nextAttempt(attempt, { reason: "hint", name: id, failed: result, red, maxIterations: maxAttempts });
    const tests = withRewritten(attempt.tests, rewritten);
    // After tests were rewritten, the earlier red results mean nothing.
    const earlier = rewritten.length === 0 ? next.earlier : null;
    const hinted = withNote({ ...next, tests, earlier }, `The person who wants this says:\n${words}`);
    const more = await runTodo(run, work, hinted);
    await settleBranch(run, branch, more);
    const { disputes } = result;
    return {
      result: {
        ...more,
        iterations: [...result.iterations, ...more.iterations],
        tampering: [...result.tampering, ...more.tampering],
        ...(rewritten.length > 0 && { rewritten }),
        ...(disputes && { disputes }),
      },
      head: run.head,
    };
  });
}

const canAnswer = ({ ask, policy }: Approvals): boolean => ask !== undefined || policy.unanswered === "wait";

/** What a person needs to know to give a hint, and what happens to the work without one. */
function describe(result: TodoResult, finding: string): string {
  const { red, tried } = diagnose(result);
  return [
    `What is red:\n${clip(red, RED_CHARACTERS)}`,
    ...(tried.length > 0 ? [`What was tried:\n${tried.slice(-SHOWN_ATTEMPTS).join("\n")}`] : []),
    ...(finding === "" ? [] : [`What the debugger found:\n${finding}`]),
    "A hint lets the work go on with it. Without an answer it ends here, and the best attempt is kept.",
  ].join("\n\n");
}
