import type { ReplayedCall, ReplayedFunction, ReplayOrder } from "../../languages/recorded-calls.ts";
import type { Surroundings } from "../mutants/surroundings.ts";
import { type ChangedFunction, keyOf } from "./changed-function.ts";
import type { ComparedCall } from "./judge-calls.ts";
import type { Recording } from "./record-calls.ts";
import type { RecordedUse } from "./recorded-uses.ts";
import { type Replay, replayCalls } from "./replay-calls.ts";

interface ReplayRequest extends Surroundings {
  layOut: (tree: "before" | "after") => Promise<string>;
}

const MOST_VARIED = 60;
const FEWEST_VARIED = 12;
/** Of all functions together. */
const MOST_TOGETHER = 750;
export const CALL_MS = 1_000;
/** A call that is made alone may take longer. */
const PATIENCE = 2;
const MOST_ALONE = 60;
const MOST_ENDLESS = 1;

/** What both trees make of the same calls, each asked twice. */
export interface Replays {
  first: Replay;
  second: Replay;
  old: [Replay, Replay];
  /** How each function is called in the new tree. */
  after: Map<string, ReplayedFunction>;
  /** The arguments of each call, by id. */
  data: Map<string, string>;
  /** Calls that give something else after others than alone, in the new tree and in the old one. */
  swayed: { after: Set<string>; before: Set<string> };
  /** Why a function could not be called. */
  problems: Map<string, string>;
}

export async function replayTrees(
  request: ReplayRequest,
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
  const vary = Math.max(FEWEST_VARIED, Math.min(MOST_VARIED, Math.floor(MOST_TOGETHER / Math.max(1, called.length))));
  const limits = { callMs: CALL_MS, memoryMb: request.limits.memoryMb, values: [], mutants: [] };
  const shared = { ...limits, paths: recording.paths, vary: 0 };
  const [newTree, oldTree] = [await request.layOut("after"), await request.layOut("before")];
  const order = (functions: ReplayedFunction[], attempt: 1 | 2, share: number): ReplayOrder => ({
    ...shared,
    functions,
    calls,
    attempt,
    alone: false,
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
  const swayed = await again(
    [first, second],
    (attempt, ids) => ({ ...order(after, attempt, 0.2), ...alone(calls, ids) }),
    newTree,
    request,
  );
  const swayedBefore = await again(
    olds,
    (attempt, ids) => ({ ...order(before, attempt, 0.2), ...alone(calls, ids) }),
    oldTree,
    request,
  );
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
    swayed: { after: swayed, before: swayedBefore },
    problems,
  };
}

const alone = (calls: ReplayedCall[], ids: Set<string>) => ({
  alone: true,
  callMs: CALL_MS * PATIENCE,
  calls: calls.filter(({ id }) => ids.has(id)),
});

/**
 * Calls that differ from themselves are made once more, each alone: they may have met what others left. So are
 * those that did not come to their end: the machine may have been busy. Answers those that gave another value after
 * others than alone.
 */
async function again(
  [first, second]: readonly [Replay, Replay],
  order: (attempt: 1 | 2, ids: Set<string>) => ReplayOrder,
  workspace: string,
  request: ReplayRequest,
): Promise<Set<string>> {
  const given = (replay: Replay, id: string) => replay.outcomes.get(id)?.parts.value?.sum;
  const unsteady = [...first.outcomes].filter(([id, { sum }]) => second.outcomes.get(id)?.sum !== sum);
  const restless = unsteady.map(([id]) => id).filter((id) => given(first, id) !== given(second, id));
  const endless = [...first.outcomes].filter(([, { kind }]) => kind === "hang" || kind === "died");
  const ids = new Set([...unsteady.slice(0, MOST_ALONE), ...endless.slice(0, MOST_ENDLESS)].map(([id]) => id));
  if (ids.size === 0) return new Set();
  for (const [replay, attempt] of [[first, 1] as const, [second, 2] as const]) {
    const { outcomes } = await replayCalls(order(attempt, ids), workspace, request);
    for (const [id, outcome] of outcomes) replay.outcomes.set(id, outcome);
  }
  return new Set(restless.filter((id) => ids.has(id) && given(first, id) === given(second, id)));
}

/** The calls of one function, with what became of them. */
export function comparedCalls(
  changed: ChangedFunction,
  callsOf: Map<string, RecordedUse[]>,
  { first, second, old, swayed }: Replays,
): ComparedCall[] {
  const key = keyOf(changed);
  const own = [...(callsOf.get(key) ?? []), ...first.varied.filter((call) => call.key === key)];
  const wasSwayed = own.some(({ id }) => swayed.before.has(id));
  const outcomesOf = (id: string): Pick<ComparedCall, "after" | "before" | "swayed"> => ({
    after: [first.outcomes.get(id), second.outcomes.get(id)],
    before: changed.before && [old[0].outcomes.get(id), old[1].outcomes.get(id)],
    swayed: swayed.after.has(id) && !wasSwayed,
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

/** Names of the function's module that both trees have. */
export const sharedNames =
  ({ first, old }: Replays, key: string) =>
  (name: string) =>
    (first.globals.get(key)?.has(name) ?? false) && (old[0].globals.get(key)?.has(name) ?? false);
