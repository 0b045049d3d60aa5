import type { BehaviourReport, FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import type { LineRange } from "../../domain/evidence/line-range.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import type { RecordOrder, ReplayedFunction, ReplayOrder } from "../../languages/recorded-calls.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import type { Surroundings } from "../mutants/run-batch.ts";
import type { RecordedFunction } from "./call-lines.ts";
import { type ChangedFunction, keyOf } from "./changed-function.ts";
import { type ComparedCall, isSilent, judgeCalls } from "./judge-calls.ts";
import { type Recording, recordCalls } from "./record-calls.ts";
import { type Replay, replayCalls } from "./replay-calls.ts";
import { tryOnCalls } from "./try-on-calls.ts";

export interface BehaviourRequest extends Surroundings {
  functions: readonly ChangedFunction[];
  /** Files in which a statement changed: every function of theirs that tests call is compared. */
  modules: readonly string[];
  /** Test files; empty: all. */
  tests: readonly string[];
  /** A clean checkout: of the tree with the tests, and of the code before and after the change. */
  layOut: (tree: "tests" | "before" | "after") => Promise<string>;
  /** The text of a file of the code after the change. */
  read: (path: string) => string | null;
  mutants: readonly Mutant[];
  parsers: SyntaxParsers;
  budgetMs: number;
}

const MOST_CALLS = 40;
const MOST_VARIED = 60;
/** Of all functions together. */
const MOST_TOGETHER = 1_500;
const CALL_MS = 2_000;

/**
 * Calls the old and the new version of each changed function with the same arguments: those that tests call it with, and
 * variations of them. Says what differs, and which mutants of the new code make a difference.
 */
export async function compareBehaviour(request: BehaviourRequest): Promise<BehaviourReport> {
  const started = performance.now();
  const left = () => request.budgetMs - (performance.now() - started);
  const finish = (functions: FunctionBehaviour[], tried: Tried, problem: string | null): BehaviourReport => {
    const untried = request.mutants.map(({ id }) => id).filter((id) => !tried.has(id));
    const told = (noticed: boolean) => [...tried].filter(([, one]) => one === noticed).map(([id]) => id);
    const durationMs = performance.now() - started;
    return { functions, noticed: told(true), unnoticed: told(false), untried, problem, durationMs };
  };
  const nothing = (why: string) =>
    finish(
      request.functions.map((one) => toBehaviour(one, undefined, [], why)),
      new Map(),
      why,
    );
  if (!request.language.replay) return nothing(`calls of ${request.language.name} code cannot be made again`);
  const recording = await record(request, left());
  if (recording.problem !== null) return nothing(recording.problem);
  const functions = comparedFunctions(request, recording);
  const callsOf = callsByKey(recording, functions);
  const replays = await replayAll(request, recording, functions, callsOf, left);
  const compared = new Map(functions.map((one) => [keyOf(one), comparedCalls(one, callsOf, replays)]));
  const tried = await tryOnCalls({
    ...request,
    functions: functions.map((one) => ({ ...one, key: keyOf(one) })),
    calls: compared,
    order: (key) => replays.after.get(key) ?? null,
    data: replays.data,
    paths: recording.paths,
    workspace: () => request.layOut("after"),
    callMs: CALL_MS,
    budgetMs: left(),
  });
  const recordedOf = new Map(recording.functions.map((one) => [keyOf(one), one]));
  const behaviours = functions.map((one) => {
    const key = keyOf(one);
    const problem = replays.problems.get(key) ?? null;
    const behaviour = toBehaviour(
      one,
      recordedOf.get(key),
      compared.get(key) ?? [],
      problem,
      sharedNames(replays, key),
    );
    const own = request.mutants.filter(({ path, line }) => path === one.path && isWithin(line, one.after));
    const ids = (noticed: boolean) => own.map(({ id }) => id).filter((id) => tried.get(id) === noticed);
    return { ...behaviour, noticed: ids(true), unnoticed: ids(false) };
  });
  return finish(behaviours, tried, null);
}

/** Mutants that were tried, by id, and whether they made a difference. */
type Tried = Map<string, boolean>;

const isWithin = (line: number, range: LineRange | null) => range !== null && range.from <= line && line <= range.to;

function record(request: BehaviourRequest, leftMs: number): Promise<Recording> {
  const files: RecordOrder["files"] = {};
  const watched = (path: string) => {
    files[path] ??= { all: false, functions: [] };
    return files[path];
  };
  for (const path of request.modules) watched(path).all = true;
  for (const { name, after } of request.functions) {
    if (after) watched(after.path).functions.push({ name, from: after.from, to: after.to });
  }
  return request
    .layOut("tests")
    .then((workspace) =>
      recordCalls({ ...request, workspace, tests: [...request.tests], files, most: MOST_CALLS, timeoutMs: leftMs / 2 }),
    );
}

/** Those that were asked for, and those of the modules that tests call. */
function comparedFunctions(request: BehaviourRequest, { functions }: Recording): ChangedFunction[] {
  const asked = new Map(request.functions.map((one) => [keyOf(one), one]));
  for (const { path, name } of functions) {
    const key = keyOf({ path, name });
    if (asked.has(key) || !request.modules.includes(path)) continue;
    // Its lines are not known, and did not change.
    const place = { path, from: 0, to: 0 };
    asked.set(key, { path, name, before: place, after: place });
  }
  return [...asked.values()];
}

interface RecordedUse {
  id: string;
  data: string;
  tests: string[];
  gave: boolean;
}

function callsByKey({ calls }: Recording, functions: ChangedFunction[]): Map<string, RecordedUse[]> {
  const most = Math.max(8, Math.min(MOST_CALLS, Math.floor(MOST_TOGETHER / 2 / Math.max(1, functions.length))));
  const known = new Map(functions.map((one, index) => [keyOf(one), { index, uses: new Map<string, RecordedUse>() }]));
  for (const { path, name, tests, data, kind } of calls) {
    const own = known.get(keyOf({ path, name }));
    if (!own) continue;
    // Several processes may have recorded the same call.
    const { uses, index } = own;
    const use = uses.get(data);
    if (use) use.tests = [...new Set([...use.tests, ...tests])];
    else if (uses.size < most) uses.set(data, { id: `${index}.${uses.size}`, data, tests, gave: kind === "value" });
  }
  return new Map([...known].map(([key, { uses }]) => [key, [...uses.values()]]));
}

interface Replays {
  first: Replay;
  second: Replay;
  old: [Replay, Replay];
  after: Map<string, ReplayedFunction>;
  data: Map<string, string>;
  problems: Map<string, string>;
}

async function replayAll(
  request: BehaviourRequest,
  recording: Recording,
  functions: ChangedFunction[],
  callsOf: Map<string, RecordedUse[]>,
  left: () => number,
): Promise<Replays> {
  const modules = new Map(recording.functions.map((one) => [keyOf(one), one.module]));
  const called = functions.filter((one) => (callsOf.get(keyOf(one)) ?? []).length > 0);
  const side = (place: (one: ChangedFunction) => string | null): ReplayedFunction[] =>
    called.flatMap((one) => {
      const path = place(one);
      const key = keyOf(one);
      const module = path === one.path ? (modules.get(key) ?? "") : "";
      return path === null ? [] : [{ key, path, name: one.name, module }];
    });
  const after = side((one) => one.after?.path ?? null);
  const before = side((one) => one.before?.path ?? null);
  const calls = [...callsOf].flatMap(([key, uses]) => uses.map(({ id, data }) => ({ id, key, data })));
  const vary = Math.max(12, Math.min(MOST_VARIED, Math.floor(MOST_TOGETHER / 2 / Math.max(1, called.length))));
  const limits = { callMs: CALL_MS, memoryMb: request.limits.memoryMb, mutants: [] };
  const shared = { ...limits, paths: recording.paths, vary: 0 };
  const [newTree, oldTree] = [await request.layOut("after"), await request.layOut("before")];
  const order = (functions: ReplayedFunction[], attempt: 1 | 2, share: number): ReplayOrder => ({
    ...shared,
    functions,
    calls,
    attempt,
    deadlineMs: left() * share,
  });
  const first = await replayCalls({ ...order(after, 1, 0.3), vary }, newTree, request);
  calls.push(...first.varied.map(({ id, key, data }) => ({ id, key, data })));
  // Each side is called twice with time between the two: what looks at the clock then differs from itself.
  const old = async (): Promise<[Replay, Replay]> => [
    await replayCalls(order(before, 1, 0.25), oldTree, request),
    await replayCalls(order(before, 2, 0.4), oldTree, request),
  ];
  const [second, olds] = await Promise.all([replayCalls(order(after, 2, 0.4), newTree, request), old()]);
  const problems = new Map(first.problems);
  for (const [key, problem] of olds[0].problems) {
    if (!problems.has(key)) problems.set(key, `the old version: ${problem}`);
  }
  return {
    first,
    second,
    old: olds,
    after: new Map(after.map((one) => [one.key, one])),
    data: new Map(calls.map(({ id, data }) => [id, data])),
    problems,
  };
}

function comparedCalls(
  changed: ChangedFunction,
  callsOf: Map<string, RecordedUse[]>,
  { first, second, old }: Replays,
): ComparedCall[] {
  const key = keyOf(changed);
  const outcomesOf = (id: string): Pick<ComparedCall, "after" | "before"> => ({
    after: [first.outcomes.get(id), second.outcomes.get(id)],
    before: changed.before && [old[0].outcomes.get(id), old[1].outcomes.get(id)],
  });
  const recorded = (callsOf.get(key) ?? []).map(
    ({ id, tests, gave }): ComparedCall => ({ id, from: "tests", tests, gave, of: null, place: "", ...outcomesOf(id) }),
  );
  const varied = first.varied
    .filter((call) => call.key === key)
    .map(
      ({ id, of, place }): ComparedCall => ({
        id,
        from: "varied",
        tests: [],
        gave: false,
        of,
        place,
        ...outcomesOf(id),
      }),
    );
  return [...recorded, ...varied];
}

const sharedNames =
  ({ first, old }: Replays, key: string) =>
  (name: string) =>
    (first.globals.get(key)?.has(name) ?? false) && (old[0].globals.get(key)?.has(name) ?? false);

function toBehaviour(
  { path, name, before, after }: ChangedFunction,
  recorded: RecordedFunction | undefined,
  calls: ComparedCall[],
  known: string | null,
  shared: (name: string) => boolean = () => false,
): FunctionBehaviour {
  const judged = judgeCalls(calls, shared);
  const { seen = 0, distinct = 0, lost = 0, why = "" } = recorded ?? {};
  const gone = after === null && before === null ? "it is gone" : null;
  const problem = known ?? gone ?? problemOf(judged, { seen, lost, why, isNew: before === null }, calls);
  return { path, name, calls: { made: seen, distinct, lost }, ...judged, noticed: [], unnoticed: [], problem };
}

function problemOf(
  { compared, unstable, unseen, recorded }: ReturnType<typeof judgeCalls>,
  { seen, lost, why, isNew }: { seen: number; lost: number; why: string; isNew: boolean },
  calls: ComparedCall[],
): string | null {
  if (seen === 0) return "no test calls it in its own process";
  if (recorded === 0 && lost > 0) return `its arguments cannot be carried over (${why})`;
  if (recorded === 0) return "no call of it was written down";
  if (isSilent(calls)) return "nothing of what it does can be seen from outside";
  if (isNew || compared > 0) return null;
  if (unstable > 0) return "its calls do not do the same twice, or not what they do in the tests";
  if (unseen > 0) return "its objects or results cannot be compared between the two trees";
  return "there was no time to make its calls";
}
