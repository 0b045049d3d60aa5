import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import type { ReplayedFunction, TriedMutant } from "../../languages/recorded-calls.ts";
import { mutate } from "../mutants/make-mutants.ts";
import type { Surroundings } from "../mutants/surroundings.ts";
import type { ChangedFunction } from "./changed-function.ts";
import { inTurn } from "./in-turn.ts";
import { type ComparedCall, isSteady } from "./judge-calls.ts";
import { replayCalls } from "./replay-calls.ts";

interface TrialRequest extends Surroundings {
  mutants: readonly Mutant[];
  read: (path: string) => string | null;
  functions: readonly (ChangedFunction & { key: string })[];
  calls: Map<string, ComparedCall[]>;
  /** How a function is called in the new tree; null: it cannot be. */
  order: (key: string) => ReplayedFunction | null;
  data: Map<string, string>;
  paths: string[];
  workspace: () => Promise<string>;
  callMs: number;
  budgetMs: number;
}

const MOST_CALLS = 250;

/**
 * Which mutants change the outcome of a call of which both versions make the same, twice. Of a call that the change made
 * another one nobody says here what is right. Mutants that were not tried are left out.
 */
export async function tryOnCalls(request: TrialRequest): Promise<Map<string, boolean>> {
  const { functions, calls, order, data, paths, callMs, budgetMs, limits } = request;
  const mutants = request.mutants.flatMap((mutant) => toTrial(mutant, request) ?? []);
  if (mutants.length === 0 || budgetMs <= 0) return new Map();
  const used = new Set(mutants.flatMap((one) => one.calls.map(({ id }) => id)));
  const replayed = [...calls].flatMap(([key, own]) =>
    own.filter(({ id }) => used.has(id)).map(({ id }) => ({ id, key, data: data.get(id) ?? "" })),
  );
  const { mutants: results } = await replayCalls(
    {
      functions: functions.flatMap(({ key }) => order(key) ?? []),
      calls: replayed,
      paths,
      vary: 0,
      attempt: 1,
      alone: false,
      callMs,
      deadlineMs: budgetMs,
      memoryMb: limits.memoryMb,
      values: [],
      mutants,
    },
    await request.workspace(),
    request,
  );
  const known = new Set(mutants.map(({ mutant }) => mutant.id));
  return new Map(
    results.filter(({ id, call }) => known.has(id) && call !== "?").map(({ id, noticed }) => [id, noticed]),
  );
}

const isTelling = (call: ComparedCall): boolean =>
  isSteady(call) && call.before?.[0] !== undefined && call.before[0].sum === call.after[0]?.sum;

/** Calls of the function that the mutant is in come first, then those of the others in its file. */
function toTrial(mutant: Mutant, { functions, calls, read }: TrialRequest): TriedMutant | null {
  const original = read(mutant.path);
  if (original === null) return null;
  const within = ({ after }: ChangedFunction) =>
    after !== null && after.path === mutant.path && after.from <= mutant.line && mutant.line <= after.to;
  const inFile = functions.filter(({ path }) => path === mutant.path);
  const steady = (own: typeof inFile) => inTurn(own.map(({ key }) => (calls.get(key) ?? []).filter(isTelling)));
  const ordered = [...steady(inFile.filter(within)), ...steady(inFile.filter((one) => !within(one)))];
  const tried = ordered.slice(0, MOST_CALLS).map(({ id, after: [first] }) => ({ id, outcome: first?.sum ?? "" }));
  if (tried.length === 0) return null;
  return { mutant, content: mutate(original, mutant), original, calls: tried };
}
