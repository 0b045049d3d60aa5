import type { FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import type { ReplayOrder } from "../../languages/recorded-calls.ts";
import type { Surroundings } from "../mutants/surroundings.ts";
import type { HeldValue, LoadedModule } from "./call-lines.ts";
import { keyOf } from "./changed-function.ts";
import { type Replay, replayCalls } from "./replay-calls.ts";

/** A name that a changed statement binds; `oldPath`: the file of it before the change. */
export interface ChangedName {
  path: string;
  oldPath: string;
  name: string;
}

interface ValueRequest extends Surroundings {
  names: readonly ChangedName[];
  layOut: (tree: "before" | "after") => Promise<string>;
  /** Where the tests found modules. */
  paths: string[];
  callMs: number;
  budgetMs: number;
}

/**
 * What names of a module stand for once it is loaded, before and after the change. A name that one of the trees does not
 * have is left out. What loading a module does elsewhere counts as well: then its values alone do not say that it is the
 * same.
 */
export async function compareValues(request: ValueRequest): Promise<FunctionBehaviour[]> {
  const { names, callMs, budgetMs, paths, limits } = request;
  if (names.length === 0 || budgetMs <= 0) return [];
  const on = async (tree: "before" | "after", pathOf: (one: ChangedName) => string) => {
    const values = names.map((one) => ({ path: pathOf(one), name: one.name }));
    const order: Omit<ReplayOrder, "attempt"> = {
      ...{ functions: [], calls: [], paths, vary: 0, alone: false, callMs, values, mutants: [] },
      ...{ deadlineMs: budgetMs / 4, memoryMb: limits.memoryMb },
    };
    const workspace = await request.layOut(tree);
    const first = await replayCalls({ ...order, attempt: 1 }, workspace, request);
    return [first, await replayCalls({ ...order, attempt: 2 }, workspace, request)] as const;
  };
  const after = await on("after", ({ path }) => path);
  const before = await on("before", ({ oldPath }) => oldPath);
  return names.flatMap((one) => {
    const now = after.map((replay) => heldIn(replay, one.path, one.name));
    const old = before.map((replay) => heldIn(replay, one.oldPath, one.name));
    return toValue(one, now, old) ?? [];
  });
}

interface Held {
  value: HeldValue;
  loaded: LoadedModule;
}

function heldIn({ values, loaded }: Replay, path: string, name: string): Held | undefined {
  const value = values.find((one) => keyOf(one) === keyOf({ path, name }));
  const module = loaded.find((one) => one.path === path);
  return value && module && { value, loaded: module };
}

function toValue(
  { path, name }: ChangedName,
  [now, again]: (Held | undefined)[],
  [old, oldAgain]: (Held | undefined)[],
): FunctionBehaviour | null {
  if (!now || !again || !old || !oldAgain) return null;
  const isSteady = now.value.sum === again.value.sum && old.value.sum === oldAgain.value.sum;
  const isPlain = now.value.plain && old.value.plain;
  // Whoever asks for such a kind is told otherwise now.
  const isNoMore = old.value.kinds.some((kind) => !now.value.kinds.includes(kind));
  const isOther = isSteady && (now.value.sum !== old.value.sum || isNoMore);
  const shown = ({ value }: Held) => (isNoMore ? `${value.shown} as ${value.kinds.join(", ")}` : value.shown);
  const difference = { call: name, before: shown(old), after: shown(now), from: "tests" as const, tests: [] };
  const problem = problemOf(isSteady, isPlain || isOther, now.loaded, old.loaded);
  return {
    ...{ path, name, kind: "value", calls: { made: 0, distinct: 0, lost: 0 }, recorded: 1, varied: 0 },
    ...{ compared: isSteady && (isPlain || isOther) ? 1 : 0, unstable: isSteady ? 0 : 1, unseen: isPlain ? 0 : 1 },
    ...{ differing: { tests: isOther ? 1 : 0, varied: 0 }, differences: isOther ? [difference] : [], narrow: [] },
    ...{ outcomes: { recorded: 1, varied: 0, variedRaise: 0 }, noticed: [], unnoticed: [], problem },
  };
}

function problemOf(isSteady: boolean, isSeen: boolean, now: LoadedModule, old: LoadedModule): string | null {
  if (!isSteady) return "its value is not the same twice";
  if (!isSeen) return "its value holds code";
  const elsewhere = Object.keys(now.around).filter(
    (module) => module in old.around && now.around[module] !== old.around[module],
  );
  if (elsewhere.length > 0) return `loading its module makes something else of ${elsewhere[0]}`;
  return now.effects === old.effects ? null : "loading its module does something else than before";
}
