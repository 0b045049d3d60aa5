import type { Miracle } from "./miracle.ts";
import { appendResult, keyOf, type Measured, type Result, readResults } from "./result.ts";

/** Something to be judged, not yet begun. */
export interface Work {
  name: string;
  variant?: string;
  measure(): Promise<Measured>;
}

export interface Options {
  miracle: Miracle;
  from: string[];
  only: string | null;
  limit: number;
  /** For one piece of work. */
  eachMinutes: number;
  unseen: boolean;
  /** Python's exercises with plain functions and assert, instead of classes of unittest. */
  pytest: boolean;
  /** A folder in which each run leaves what it did. */
  keep: string | null;
}

/** As many as wanted, spread evenly, so that a sample is not the beginning of the alphabet. */
export function spread<Item>(items: Item[], limit: number): Item[] {
  if (items.length <= limit) return items;
  return Array.from({ length: limit }, (_, at) => items[Math.floor((at * items.length) / limit)]).filter(
    (item) => item !== undefined,
  );
}

interface Doing {
  set: Result["set"];
  commit: string;
  /** Results are appended here, and what is there is not done again. */
  out: string;
  /** Two at most: more would measure the machine. */
  atOnce: number;
  /** For everything together. */
  minutes: number;
  tell(line: string): void;
}

/** Does what is not done yet, and tells each end as it comes. */
export async function doWork(works: Work[], { set, commit, out, atOnce, minutes, tell }: Doing): Promise<Result[]> {
  const wanted = new Set(works.map((work) => keyOf({ set, ...work })));
  const known = new Set(readResults(out).map(keyOf));
  const left = works.filter((work) => !known.has(keyOf({ set, ...work })));
  const until = Date.now() + minutes * 60_000;
  let number = works.length - left.length;
  if (number > 0) tell(`${number} of ${works.length} are in ${out} already`);
  const worker = async () => {
    for (let work = left.shift(); work && Date.now() < until; work = left.shift()) {
      const measured = await work.measure().catch((error: unknown): Measured => notTried(work, error));
      const result = { ...measured, set, commit, at: new Date().toISOString() };
      appendResult(out, result);
      number += 1;
      const { name, variant = "", verdict, seconds, reason } = result;
      tell(`[${number}/${works.length}] ${name} ${variant} ${verdict} ${seconds.toFixed(0)} s ${reason.slice(0, 160)}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, Math.max(1, atOnce)) }, worker));
  return readResults(out).filter((result) => wanted.has(keyOf(result)));
}

/** A fault of the harness says nothing of the product. */
function notTried({ name, variant }: Work, error: unknown): Measured {
  const reason = `the harness: ${error instanceof Error ? error.message : error}`.split("\n")[0] ?? "";
  return { name, ...(variant && { variant }), verdict: "not-tried", exit: null, reason, seconds: 0 };
}
