import type { ReplayOrder } from "../../languages/recorded-calls.ts";
import type { Surroundings } from "../mutants/surroundings.ts";
import {
  type HeldValue,
  type Line,
  type LoadedModule,
  type Outcome,
  readLines,
  type VariedCall,
} from "./call-lines.ts";

/** What one tree makes of the calls. */
export interface Replay {
  outcomes: Map<string, Outcome>;
  varied: VariedCall[];
  /** Why a function could not be called here. */
  problems: Map<string, string>;
  /** The names that the module of a function holds. */
  globals: Map<string, Set<string>>;
  mutants: { id: string; noticed: boolean; call: string }[];
  values: HeldValue[];
  loaded: LoadedModule[];
}

const MOST_OUTPUT = 24_000_000;
/** Both versions are called behind UTC: where it is the same hour, nobody could tell UTC from local time. */
const AWAY = "Etc/GMT+9";
const MARGIN_MS = 20_000;
/** How often calls go on in another process after one that ended its own. */
const MOST_STARTS = 6;

/** Makes the calls in this checkout. A call that ends the process is told as such, and the others go on without it. */
export async function replayCalls(order: ReplayOrder, workspace: string, around: Surroundings): Promise<Replay> {
  const started = performance.now();
  const replay: Replay = {
    ...{ outcomes: new Map(), varied: [], problems: new Map(), globals: new Map(), mutants: [] },
    ...{ values: [], loaded: [] },
  };
  let rest = order;
  for (let starts = 0; starts < MOST_STARTS; starts += 1) {
    const deadlineMs = order.deadlineMs - (performance.now() - started);
    if (deadlineMs <= 0) break;
    const lines = await run({ ...rest, deadlineMs }, workspace, around);
    for (const line of lines) take(line, replay, order);
    if (lines.some((line) => "end" in line)) break;
    const next = withoutEnded(order, replay);
    if (next === null) break;
    rest = next;
  }
  return replay;
}

function take(line: Line, replay: Replay, order: ReplayOrder): void {
  const knows = (key: string) => order.functions.some((one) => one.key === key);
  if ("outcome" in line) replay.outcomes.set(line.outcome.id, line.outcome);
  if ("varied" in line && knows(line.varied.key)) replay.varied.push(line.varied);
  if ("problem" in line) replay.problems.set(line.problem.key, line.problem.text);
  if ("globals" in line) replay.globals.set(line.globals.key, new Set(line.globals.names));
  if ("value" in line) replay.values.push(line.value);
  if ("loaded" in line) replay.loaded.push(line.loaded);
  if ("mutant" in line) replay.mutants.push(line.mutant);
}

/** The process came to an end that was not its own: the call it was at is the one that ended it. */
function withoutEnded(order: ReplayOrder, replay: Replay): ReplayOrder | null {
  if (order.mutants.length > 0) {
    const rest = order.mutants.slice(replay.mutants.length + 1);
    const at = order.mutants[replay.mutants.length];
    // Whether it noticed anything is not known.
    if (at) replay.mutants.push({ id: at.mutant.id, noticed: false, call: "?" });
    return rest.length === 0 ? null : { ...order, mutants: rest };
  }
  const calls = [...order.calls, ...replay.varied];
  const inOrder = order.attempt === 1 ? calls : calls.toReversed();
  const rest = inOrder.filter(({ id }) => !replay.outcomes.has(id));
  const ended = rest[0];
  if (!ended) return null;
  replay.outcomes.set(ended.id, { ...ENDED, id: ended.id });
  const left = calls.filter(({ id }) => !replay.outcomes.has(id));
  return left.length === 0 ? null : { ...order, vary: 0, calls: left };
}

const ENDED: Omit<Outcome, "id"> = {
  kind: "died",
  sum: "died",
  parts: {},
  call: "",
  raised: "",
  shape: "",
  codes: "",
  blind: false,
  quiet: false,
};

async function run(order: ReplayOrder, workspace: string, around: Surroundings): Promise<Line[]> {
  const { language, toolchain, sandbox, limits, signal } = around;
  const program = language.replay?.(order, toolchain);
  if (!program) return [];
  const { mounts, path } = toolchain;
  const command = { argv: program.argv, stdin: program.stdin, workspace, mounts, path };
  const result = await sandbox.run(
    { ...command, env: { TZ: AWAY, ...toolchain.env, ...program.env } },
    { ...limits, timeoutMs: Math.ceil(order.deadlineMs + order.callMs * 2 + MARGIN_MS), outputBytes: MOST_OUTPUT },
    signal,
  );
  return readLines(result.stdout);
}
