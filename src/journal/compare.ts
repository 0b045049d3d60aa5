import { canonicalJson, type Json } from "../domain/json.ts";
import type { Step } from "../domain/task/step.ts";
import { differences } from "./divergence.ts";
import { unpack } from "./pack.ts";
import type { Recording } from "./recording.ts";

/** The first difference between two runs. */
interface Parting {
  strand: string;
  /** Undefined if this run's strand ended here. */
  left: Step | undefined;
  right: Step | undefined;
  what: string;
  /** For a person: how the inputs differ or, with equal inputs, how the outputs differ. */
  differences: string[];
}

export interface Comparison {
  /** How many steps are in both, with the same result. */
  same: number;
  /** The first difference; null if there is none. */
  first: Parting | null;
}

/** Compares strand by strand, because strands do not wait for each other. Durations do not count as differences. */
export async function compareRecordings(left: Recording, right: Recording): Promise<Comparison> {
  const names = new Set([...(await left.strands()), ...(await right.strands())]);
  const partings: Parting[] = [];
  let same = 0;
  for (const name of names) {
    const mine = (await left.strand(name)).steps;
    const theirs = (await right.strand(name)).steps;
    for (let at = 0; at < Math.max(mine.length, theirs.length); at += 1) {
      const parting = await partingAt(name, [left, mine[at]], [right, theirs[at]]);
      if (parting) {
        partings.push(parting);
        break;
      }
      same += 1;
    }
  }
  partings.sort((a, b) => placeOf(a) - placeOf(b));
  return { same, first: partings[0] ?? null };
}

type Side = [Recording, Step | undefined];

async function partingAt(strand: string, mine: Side, theirs: Side): Promise<Parting | null> {
  const [left, right] = [mine[1], theirs[1]];
  if (!left || !right) return { strand, left, right, what: "only one of the runs has it", differences: [] };
  if (left.path !== right.path) return { strand, left, right, what: "the runs take other steps", differences: [] };
  if (left.outcome === right.outcome && left.outputHash === right.outputHash) return null;
  const output = await bothOf(mine[0], left.outputHash, theirs[0], right.outputHash);
  if (left.outcome === right.outcome && canonicalJson(output[0]) === canonicalJson(output[1])) return null;
  const input = await bothOf(mine[0], left.inputHash, theirs[0], right.inputHash);
  const asked = differences(...input);
  if (asked.length > 0) return { strand, left, right, what: "its input differs", differences: asked };
  return { strand, left, right, what: "the same input, another result", differences: differences(...output) };
}

async function bothOf(left: Recording, mine: string, right: Recording, theirs: string): Promise<[Json, Json]> {
  const load = async (recording: Recording, hash: string) =>
    withoutTimes(await unpack(hash, (wanted) => recording.blob(wanted)));
  return [await load(left, mine), await load(right, theirs)];
}

const TIMES = new Set(["durationMs", "at", "startedAt", "endedAt"]);

function withoutTimes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([key, item]) => !(TIMES.has(key) && typeof item === "number"));
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutTimes(item)]));
}

const placeOf = ({ left, right }: Parting): number =>
  Math.min(left?.sequence ?? Number.MAX_SAFE_INTEGER, right?.sequence ?? Number.MAX_SAFE_INTEGER);
