import type { PlaceOrder, RecordOrder } from "../../languages/recorded-calls.ts";
import type { Line, Outcome, PlacedCall } from "./call-lines.ts";
import { type ChangedFunction, keyOf } from "./changed-function.ts";
import type { ComparedCall } from "./judge-calls.ts";
import { type RecordRequest, runRecorded } from "./record-calls.ts";

interface PlaceRequest extends Omit<RecordRequest, "workspace" | "files" | "inPlace" | "timeoutMs"> {
  /** Both with the tests after the change; of the old code, as far as these can run there. */
  layOut: (tree: "tests" | "old-tests") => Promise<string>;
  functions: readonly ChangedFunction[];
  callMs: number;
  budgetMs: number;
}

const VARIED = 18;

/**
 * Calls of functions whose arguments cannot be carried elsewhere, made in the tests' own processes, on the new and on
 * the old code: by the key of the function. A call that only one of the trees makes has no other side.
 */
export async function placeCalls(request: PlaceRequest): Promise<Map<string, PlacedCalls>> {
  const [after, before] = await Promise.all([
    onSide(request, "tests", ({ after }) => after),
    onSide(request, "old-tests", ({ before }) => before),
  ]);
  return new Map(
    request.functions.map((one): [string, PlacedCalls] => {
      const key = keyOf(one);
      const [now, old] = [after.get(key), before.get(key)];
      const calls = [...(now?.made ?? [])].map(([id, made]) => toCompared(id, made, old?.made.get(id)));
      return [key, { calls, shared: (name) => (now?.names.has(name) && old?.names.has(name)) ?? false }];
    }),
  );
}

export interface PlacedCalls {
  calls: ComparedCall[];
  /** Whether both trees have this name in the function's module. */
  shared: (name: string) => boolean;
}

/** One call in one tree, and what became of it each time. */
interface Made {
  call: PlacedCall;
  gave: boolean;
  outcomes: [Outcome | undefined, Outcome | undefined];
}

function toCompared(id: string, { call, gave, outcomes }: Made, old: Made | undefined): ComparedCall {
  const from = call.of === null ? "tests" : "varied";
  const before = old ? old.outcomes : null;
  return { id, from, tests: [call.test], gave, of: call.of, place: call.place, after: outcomes, before };
}

type Side = (one: ChangedFunction) => ChangedFunction["after"];

async function onSide(request: PlaceRequest, tree: "tests" | "old-tests", side: Side) {
  const files: RecordOrder["files"] = {};
  const keys = new Map<string, string>();
  for (const one of request.functions) {
    const place = side(one);
    if (!place) continue;
    const { path, from, to } = place;
    files[path] ??= { all: false, functions: [] };
    files[path].functions.push({ name: one.name, from, to });
    keys.set(keyOf({ path, name: one.name }), keyOf(one));
  }
  const { callMs, budgetMs, limits } = request;
  const inPlace: PlaceOrder = { vary: VARIED, callMs, deadlineMs: budgetMs * 0.6, memoryMb: limits.memoryMb };
  const workspace = await request.layOut(tree);
  const { processes } = await runRecorded({ ...request, workspace, files, inPlace, timeoutMs: budgetMs });
  return madeOf(processes.flat(), keys);
}

interface OfFunction {
  made: Map<string, Made>;
  names: Set<string>;
}

function madeOf(lines: Line[], keys: Map<string, string>): Map<string, OfFunction> {
  const all = new Map(
    [...keys.values()].map((key): [string, OfFunction] => [key, { made: new Map(), names: new Set() }]),
  );
  const raised = new Set(lines.flatMap((line) => ("raised" in line ? [line.raised] : [])));
  const gave = new Set(lines.flatMap((line) => ("gave" in line && !raised.has(line.gave) ? [line.gave] : [])));
  for (const line of lines) {
    if ("globals" in line) {
      const own = all.get(keys.get(line.globals.key) ?? "");
      for (const name of line.globals.names) own?.names.add(name);
    }
    if (!("placed" in line)) continue;
    const call = line.placed;
    const own = all.get(keys.get(keyOf(call)) ?? "");
    const { id } = call.outcome;
    const made = own?.made.get(id) ?? { call, gave: gave.has(id), outcomes: [undefined, undefined] };
    made.outcomes[call.attempt - 1] = call.outcome;
    own?.made.set(id, made);
  }
  return all;
}
