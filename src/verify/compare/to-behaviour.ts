import type { BehaviourReport, FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import type { RecordedFunction } from "./call-lines.ts";
import type { ChangedFunction } from "./changed-function.ts";
import { type ComparedCall, isSilent, judgeCalls } from "./judge-calls.ts";
import type { PlacedCalls } from "./place-calls.ts";

/** What became of a function's calls; `known`: why it could not be called. */
export function toBehaviour(
  { path, name, before, after }: ChangedFunction,
  recorded: RecordedFunction | undefined,
  calls: ComparedCall[],
  known: string | null,
  shared: (name: string) => boolean = () => false,
): FunctionBehaviour {
  const judged = judgeCalls(calls, shared);
  const { seen = 0, distinct = 0, lost = 0, why = "" } = recorded ?? {};
  const gone = after === null ? "it is gone" : null;
  const problem = known ?? gone ?? problemOf(judged, { seen, lost, why, isNew: before === null }, calls);
  return {
    path,
    name,
    kind: "function",
    calls: { made: seen, distinct, lost },
    ...judged,
    noticed: [],
    unnoticed: [],
    problem,
  };
}

/** Of fewer variations nobody can say that it does the same, or more than its tests ask for. */
const FEWEST_VARIED = 4;

/**
 * The same of calls that were made in the tests' own processes. `carried` is what is known without them: it stays where
 * they tell nothing. A function to which nothing else could be given hides what it does with other arguments.
 */
export function placedBehaviour(
  changed: ChangedFunction,
  carried: FunctionBehaviour,
  { calls, shared }: PlacedCalls,
): FunctionBehaviour {
  const { made: seen, distinct, lost } = carried.calls;
  if (calls.length === 0) return carried;
  const recorded = { path: changed.path, name: changed.name, module: "", seen, distinct, lost, why: "" };
  const { noticed, unnoticed } = carried;
  const behaviour = { ...toBehaviour(changed, recorded, calls, null, shared), noticed, unnoticed };
  const { compared, unstable, unseen, varied, differing } = behaviour;
  if (carried.problem === null && differing.tests + differing.varied === 0) return carried;
  // What mostly cannot be told says little by the rest.
  if (behaviour.problem !== null || unstable + unseen > compared + (changed.before ? 0 : varied)) return carried;
  const others = calls.filter((call) => reachesIn(call, calls) && (call.before !== null || !changed.before)).length;
  const few = `${carried.problem ?? "it behaves as before elsewhere"}; where its tests call it, only ${others} other inputs could be tried`;
  return others < FEWEST_VARIED ? { ...behaviour, problem: few } : behaviour;
}

/** A variation that only raises where the test's own call gives a value never came to what the function does. */
const reachesIn = ({ from, of, after: [first] }: ComparedCall, calls: ComparedCall[]): boolean =>
  from === "varied" && (first?.kind === "value" || first?.kind === calls.find(({ id }) => id === of)?.after[0]?.kind);

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

/** Of code in several languages. */
export const mergeBehaviour = (reports: readonly BehaviourReport[]): BehaviourReport => ({
  functions: reports.flatMap(({ functions }) => functions),
  noticed: reports.flatMap(({ noticed }) => noticed),
  unnoticed: reports.flatMap(({ unnoticed }) => unnoticed),
  untried: reports.flatMap(({ untried }) => untried),
  problem: reports.find(({ problem }) => problem !== null)?.problem ?? null,
  durationMs: reports.reduce((sum, { durationMs }) => sum + durationMs, 0),
});
