import { z } from "zod";
import { Failure } from "../failure.ts";

/** One pass of the loop over a todo: what recovery is decided by, and what people are shown. */
export const Iteration = z.object({
  number: z.int().positive(),
  todo: z.string(),
  /** The tree the coder left behind. */
  tree: z.string(),
  outcome: z.enum(["green", "red", "blocked"]),
  passed: z.int(),
  red: z.array(z.string()),
  /** What the coder said of its work. */
  summary: z.string().optional(),
  failure: Failure.optional(),
  reflection: z.string().optional(),
  hypothesis: z.string().optional(),
  tokens: z.int(),
  durationMs: z.number(),
});
export type Iteration = z.infer<typeof Iteration>;

/**
 * No progress: the last iterations left the same change and the same red tests, or the number of red tests
 * has not fallen below its best for `patience` iterations.
 */
export function isStuck(history: Iteration[], patience: number): boolean {
  const last = history.at(-1);
  const before = history.at(-2);
  if (!last || !before) return false;
  if (last.tree === before.tree && sameNames(last.red, before.red)) return true;
  if (history.length <= patience) return false;
  const best = (iterations: Iteration[]) => Math.min(...iterations.map(distance));
  return best(history.slice(-patience)) >= best(history.slice(0, -patience));
}

/** How far from green: iterations that never got to a test, or to the end of them, count as farthest. */
export function distance({ outcome, failure, red }: Iteration): number {
  const cutOff = failure?.kind === "timeout" || failure?.kind === "resource-limit";
  return outcome === "blocked" || cutOff ? Number.MAX_SAFE_INTEGER : red.length;
}

/** What is kept of work that did not succeed: the latest of the trees that came closest to green. */
export function bestTree(history: Iteration[]): string | undefined {
  const closest = Math.min(...history.map(distance));
  return history.findLast((iteration) => distance(iteration) === closest)?.tree;
}

const sameNames = (a: string[], b: string[]) => a.length === b.length && a.every((name, index) => name === b[index]);
