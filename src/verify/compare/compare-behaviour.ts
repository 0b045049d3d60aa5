import type { BehaviourReport, FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import type { LineRange } from "../../domain/evidence/line-range.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import type { RecordOrder } from "../../languages/recorded-calls.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import type { Surroundings } from "../mutants/surroundings.ts";
import { type ChangedFunction, keyOf } from "./changed-function.ts";
import { type ChangedName, compareValues } from "./compare-values.ts";
import { placeCalls } from "./place-calls.ts";
import { type Recording, recordCalls } from "./record-calls.ts";
import { recordedUses } from "./recorded-uses.ts";
import { CALL_MS, comparedCalls, replayTrees, sharedNames } from "./replay-trees.ts";
import { placedBehaviour, toBehaviour } from "./to-behaviour.ts";
import { tryOnCalls } from "./try-on-calls.ts";

export interface BehaviourRequest extends Surroundings {
  functions: readonly ChangedFunction[];
  /** Files in which a statement changed: every function of theirs that tests call is compared. */
  modules: readonly string[];
  /** Names that changed statements bind. */
  names?: readonly ChangedName[];
  /** Whether tests turned green for a function: then it must behave otherwise somewhere. */
  isExpected?: (key: string) => boolean;
  /** The tests that turned green: what they call shows the change. */
  first?: readonly string[];
  /** Test files that run something of the change; null: nobody knows, so all. */
  tests: readonly string[] | null;
  /** A clean checkout: of the code before and after the change, and of each with the tests after it. */
  layOut: (tree: ComparedTree) => Promise<string>;
  /** The text of a file of the code after the change. */
  read: (path: string) => string | null;
  mutants: readonly Mutant[];
  parsers: SyntaxParsers;
  budgetMs: number;
}

export type ComparedTree = "tests" | "old-tests" | "before" | "after";

/**
 * Calls the old and the new version of each changed function with the same arguments: those that tests call it
 * with, and variations of them; where these cannot be carried, in the place of the test. Says what differs, and which mutants of the new code make a difference.
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
  const callsOf = recordedUses(recording, functions, request.first);
  const replays = await replayTrees(request, recording, functions, callsOf, left);
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
  const placed = await inPlace(request, functions, behaviours, left());
  const around = { ...request, names: request.names ?? [], paths: recording.paths };
  const values = await compareValues({ ...around, callMs: CALL_MS, budgetMs: left() });
  return finish([...placed, ...values], tried, null);
}

/**
 * Functions that could not be called elsewhere are called where the tests call them; and so are those that should behave
 * otherwise and do not: a test may set up more than arguments.
 */
async function inPlace(
  request: BehaviourRequest,
  functions: ChangedFunction[],
  behaviours: FunctionBehaviour[],
  leftMs: number,
): Promise<FunctionBehaviour[]> {
  const isOpen = ({ problem, differing, ...one }: FunctionBehaviour) =>
    problem !== null || (differing.tests + differing.varied === 0 && (request.isExpected?.(keyOf(one)) ?? false));
  const open = new Set(behaviours.filter((one) => one.calls.made > 0 && isOpen(one)).map(keyOf));
  const asked = functions.filter((one) => open.has(keyOf(one)) && one.after && one.after.to > 0);
  if (!request.language.callsInPlace || asked.length === 0 || leftMs < LEAST_PLACED_MS) return behaviours;
  const around = { ...request, tests: [...(request.tests ?? [])], functions: asked };
  const placed = await placeCalls({ ...around, callMs: CALL_MS, budgetMs: leftMs });
  return behaviours.map((one) => {
    const changed = asked.find((other) => keyOf(other) === keyOf(one));
    const calls = placed.get(keyOf(one));
    return changed && calls ? placedBehaviour(changed, one, calls) : one;
  });
}

const LEAST_PLACED_MS = 4_000;

/** Mutants that were tried, by id, and whether they made a difference. */
type Tried = Map<string, boolean>;

const isWithin = (line: number, range: LineRange | null) => range !== null && range.from <= line && line <= range.to;

const NO_CALLS: Recording = { functions: [], calls: [], paths: [], problem: null };

async function record(request: BehaviourRequest, leftMs: number): Promise<Recording> {
  if (request.tests?.length === 0) return NO_CALLS;
  const files: RecordOrder["files"] = {};
  const watched = (path: string) => {
    files[path] ??= { all: false, functions: [] };
    return files[path];
  };
  for (const path of request.modules) watched(path).all = true;
  for (const { name, after } of request.functions) {
    if (after) watched(after.path).functions.push({ name, from: after.from, to: after.to });
  }
  const workspace = await request.layOut("tests");
  return recordCalls({ ...request, workspace, tests: [...(request.tests ?? [])], files, timeoutMs: leftMs / 2 });
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
