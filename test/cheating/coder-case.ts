import { AppBuilder } from "../app-builder.ts";
import { call, roleOf } from "../scripted-goal.ts";

/** Goals that are given to scripted coders, honest and others, and what becomes of them. */

export type Call = ReturnType<typeof call>;

export interface TestText {
  path: string;
  content: string;
  /** The tests in it. */
  names: string[];
}

export interface Goal {
  language: "python" | "javascript";
  kind: "fix" | "feature";
  /** What is asked for, and what the spec says of it. */
  goal: string;
  requirement: string;
  base: Record<string, string>;
  visible: TestText;
  /** The held-out tests, of the first and of every later answer of the tester. */
  unseen(number: number): TestText;
  accept?: string[];
}

export const write = (path: string, content: string): Call => call("create_file", { path, content, overwrite: true });
export const shell = (command: string): Call => call("run_command", { command });
export const done: Call = call("finish", { summary: "done" });

export interface CoderEnd {
  status: string;
  /** Why, in the words of the outcome. */
  why: string;
  builder: AppBuilder;
}

export interface CaseOptions {
  /**
   * To the end of the task. Otherwise the run ends as soon as the coder, who has nothing to add, is sent back: what was
   * red stays red. Code that may answer otherwise the next time needs the whole.
   */
  whole?: boolean;
  /** For each command in the sandbox; short where the code never ends. */
  timeoutMs?: number;
}

/** One todo, one requirement; the judge takes every held-out test for right. */
export async function give(
  goal: Goal,
  coder: Call[],
  { whole = false, timeoutMs = 10_000 }: CaseOptions = {},
): Promise<CoderEnd> {
  const turns = { planner: 0, tester: 0, coder: 0, reflector: 0, judge: 0 };
  const sentBack = new AbortController();
  const covers = ({ path, content, names }: TestText) => ({
    path,
    content,
    todo: "work",
    covers: names.map((test) => ({ test, requirement: "R1" })),
  });
  const answers = {
    planner: () =>
      call("finish", {
        size: "small",
        title: goal.goal,
        kind: goal.kind,
        language: goal.language,
        requirements: [{ id: "R1", text: goal.requirement, quote: goal.goal }],
        todos: [{ id: "work", title: goal.goal }],
      }),
    tester: (turn: number) => {
      const hidden = { ...covers(goal.unseen(turn)), heldOut: true };
      return call("finish", { files: turn === 0 ? [covers(goal.visible), hidden] : [hidden] });
    },
    coder: (turn: number) => {
      if (turn >= coder.length && !whole) sentBack.abort();
      return coder[turn] ?? done;
    },
    reflector: () => call("finish", { cause: "unknown", hypothesis: "go on", next: "code" }),
    judge: () =>
      call("finish", { entailed: true, quote: goal.requirement, reason: "said", behaviour: "do it for every input" }),
  };
  const builder = await AppBuilder.create((request) => {
    const role = roleOf(request);
    const turn = turns[role];
    turns[role] += 1;
    return { toolCalls: [answers[role](turn)] };
  }, goal.base);
  const app = await builder.open();
  const { limits, sandbox } = builder.settings();
  const settings = builder.settings({
    limits: { ...limits, maxIterations: 2 },
    sandbox: { ...sandbox, limits: { ...sandbox.limits, timeoutMs } },
  });
  const request = { goal: goal.goal, ...(goal.accept && { accept: goal.accept }) };
  const end = await builder.start(app, request, settings, { signal: sentBack.signal });
  if (end.ended === "stopped" && sentBack.signal.aborted) {
    return { status: "not-proven", why: "it was sent back", builder };
  }
  if (end.ended !== "settled") throw new Error(JSON.stringify(end));
  const { outcome } = end;
  return { status: outcome.status, why: JSON.stringify(outcome).slice(0, 2000), builder };
}
