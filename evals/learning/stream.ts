import { type ErrorRecord, readRecords } from "../retrieval/records.ts";
import { draw } from "./draw.ts";

/** One mistake of a task: which cause, and in which of its forms it shows. */
export interface Mistake {
  cause: string;
  error: ErrorRecord;
}

export interface Stream {
  seed: number;
  causes: Cause[];
  /** Each task's mistakes, in the order in which they come to light. */
  tasks: Mistake[][];
}

/** A root cause that recurs: the fix that is right for it, and one that only sounds so. */
export interface Cause {
  name: string;
  forms: ErrorRecord[];
  right: string;
  wrong: string;
  /** In a poisoned memory: what is known of it is wrong. */
  isPoisoned: boolean;
}

const CAUSES = 12;
const FEWEST_FORMS = 4;
const MISTAKES_PER_TASK = 2;

/** The same seed gives the same tasks, mistakes and forms, whatever memory there is. */
export function makeStream(seed: number, tasks: number): Stream {
  const causes = chooseCauses(seed);
  const weights = causes.map((_, rank) => 1 / Math.sqrt(rank + 1));
  return {
    seed,
    causes,
    tasks: Array.from({ length: tasks }, (_, task) => {
      const left = new Set(causes.keys());
      return Array.from({ length: MISTAKES_PER_TASK }, (_, at) => {
        const chosen = weighted(left, weights, draw(seed, "cause", task, at));
        left.delete(chosen);
        const cause = causes[chosen];
        // The first form is what a memory that was there before knows; tasks meet the others.
        const form = cause?.forms[1 + Math.floor(draw(seed, "form", task, at) * (cause.forms.length - 1))];
        if (!cause || !form) throw new Error(`no cause ${chosen}`);
        return { cause: cause.name, error: form };
      });
    }),
  };
}

/** Half of them, drawn, are poisoned; frequent and rare ones alike. */
function chooseCauses(seed: number): Cause[] {
  const byCause = Map.groupBy(readRecords(), ({ cause }) => cause);
  const usable = [...byCause].filter(([, forms]) => forms.length >= FEWEST_FORMS);
  const shuffled = usable
    .map(([name, forms]) => ({ name, forms, key: draw(seed, "order", name) }))
    .sort((a, b) => a.key - b.key)
    .slice(0, CAUSES);
  return shuffled.map(({ name, forms }, rank) => ({
    name,
    forms,
    right: forms[0]?.fix ?? "",
    wrong: `Catch it where it is thrown and go on with an empty value, as for ${name} before.`,
    isPoisoned: (rank % 2 === 0) === draw(seed, "poison", Math.floor(rank / 2)) < 0.5,
  }));
}

function weighted(left: ReadonlySet<number>, weights: readonly number[], at: number): number {
  const total = [...left].reduce((sum, index) => sum + (weights[index] ?? 0), 0);
  let rest = at * total;
  for (const index of left) {
    rest -= weights[index] ?? 0;
    if (rest <= 0) return index;
  }
  return [...left].at(-1) ?? 0;
}
