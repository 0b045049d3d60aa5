import { afterAll } from "vitest";
import type { RunEnd } from "../../src/app/run-options.ts";
import { AppBuilder } from "../app-builder.ts";
import { type ModelServer, type Script, startModelServer } from "../model-server.ts";
import { scratchDirectories } from "../scratch-directories.ts";
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

interface CoderEnd {
  status: string;
  /** Why, in the words of the outcome. */
  why: string;
  builder: AppBuilder;
}

interface CaseOptions {
  /**
   * To the end of the task. Otherwise the run ends as soon as the coder, who has nothing to add, is sent back: what was
   * red stays red. Code that may answer otherwise the next time needs the whole.
   */
  whole?: boolean;
  /** For each command in the sandbox; short where the code never ends. */
  timeoutMs?: number;
}

export type Give = (goal: Goal, coder: Call[], options?: CaseOptions) => Promise<CoderEnd>;

/** A task as it stands before its first coder is asked, or at its end where that is never. */
interface Prepared {
  /** Answers as the case says that is being tried. */
  script: Script;
  builder: AppBuilder;
  turns: Turns;
  end: RunEnd;
}

type Turns = Record<ReturnType<typeof roleOf>, number>;

/**
 * Gives goals to coders: one todo, one requirement; the judge takes every held-out test for right. Up to the coder all
 * tasks of a goal are the same, so a file of tests has each done once, and every coder goes on from a copy of it.
 */
export function coderCases(): Give {
  const directoryFor = scratchDirectories();
  const servers: ModelServer[] = [];
  const prepared = new Map<Goal, Map<number, Promise<Prepared>>>();
  afterAll(async () => {
    for (const server of servers) await server.close();
  });

  async function prepare(goal: Goal, timeoutMs: number): Promise<Prepared> {
    const turns: Turns = { planner: 0, tester: 0, coder: 0, reflector: 0, judge: 0 };
    const reached = new AbortController();
    const own: Pick<Prepared, "script"> = {
      script: answers(goal, turns, () => {
        reached.abort();
        return null;
      }),
    };
    const server = await startModelServer((request, index) => own.script(request, index));
    servers.push(server);
    const builder = AppBuilder.at(directoryFor("coders"), server, goal.base);
    const { limits, sandbox } = builder.settings();
    const settings = builder.settings({
      limits: { ...limits, maxIterations: 2 },
      sandbox: { ...sandbox, limits: { ...sandbox.limits, timeoutMs } },
    });
    const request = { goal: goal.goal, ...(goal.accept && { accept: goal.accept }) };
    await using app = await builder.openApp();
    const end = await builder.start(app, request, settings, { signal: reached.signal });
    return Object.assign(own, { builder, turns, end });
  }

  return async (goal, coder, { whole = false, timeoutMs = 10_000 } = {}) => {
    const ofGoal = prepared.get(goal) ?? new Map<number, Promise<Prepared>>();
    prepared.set(goal, ofGoal);
    const ready = ofGoal.get(timeoutMs) ?? prepare(goal, timeoutMs);
    ofGoal.set(timeoutMs, ready);
    const before = await ready;
    if (before.end.ended === "settled") return settled(before.end, before.builder);
    if (before.end.ended !== "stopped") throw new Error(JSON.stringify(before.end));

    const sentBack = new AbortController();
    before.script = answers(goal, { ...before.turns, coder: 0 }, (turn) => {
      if (turn >= coder.length && !whole) sentBack.abort();
      return coder[turn] ?? done;
    });
    const builder = before.builder.copy(directoryFor("coder"), goal.base);
    await using app = await builder.openApp();
    const end = await app.resume(before.end.task, {}, { signal: sentBack.signal });
    if (end.ended === "stopped" && sentBack.signal.aborted) {
      return { status: "not-proven", why: "it was sent back", builder };
    }
    return settled(end, builder);
  };
}

function settled(end: RunEnd, builder: AppBuilder): CoderEnd {
  if (end.ended !== "settled") throw new Error(JSON.stringify(end));
  const { outcome } = end;
  return { status: outcome.status, why: JSON.stringify(outcome).slice(0, 2000), builder };
}

/** What every role says, each at its next turn; `coder` may end the run instead of an answer. */
function answers(goal: Goal, turns: Turns, coder: (turn: number) => Call | null): Script {
  const covers = ({ path, content, names }: TestText) => ({
    path,
    content,
    todo: "work",
    covers: names.map((test) => ({ test, requirement: "R1" })),
  });
  const roles: Record<keyof Turns, (turn: number) => Call> = {
    planner: () =>
      call("finish", {
        size: "small",
        title: goal.goal,
        kind: goal.kind,
        language: goal.language,
        requirements: [{ id: "R1", text: goal.requirement, quote: goal.goal }],
        todos: [{ id: "work", title: goal.goal }],
      }),
    tester: (turn) => {
      const hidden = { ...covers(goal.unseen(turn)), heldOut: true };
      return call("finish", { files: turn === 0 ? [covers(goal.visible), hidden] : [hidden] });
    },
    coder: (turn) => coder(turn) ?? done,
    reflector: () => call("finish", { cause: "unknown", hypothesis: "go on", next: "code" }),
    judge: () =>
      call("finish", { entailed: true, quote: goal.requirement, reason: "said", behaviour: "do it for every input" }),
  };
  return (request) => {
    const role = roleOf(request);
    const turn = turns[role];
    turns[role] += 1;
    return { toolCalls: [roles[role](turn)] };
  };
}
