import type { FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import type { RecordedFunction } from "./call-lines.ts";
import type { ChangedFunction } from "./changed-function.ts";
import { type ComparedCall, isSilent, judgeCalls } from "./judge-calls.ts";

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
