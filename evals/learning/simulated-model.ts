import type { Cause } from "./stream.ts";

/**
 * How likely one iteration is to mend a mistake. These are assumptions, not measurements of any model: they say what a
 * lesson does, and the simulation shows what memory and its effect measure make of that.
 */
export interface Assumed {
  /** With no lesson in the prompt. */
  alone: number;
  /** With the right fix in it, and with a wrong one that is about the same error. */
  right: number;
  wrong: number;
  /** With lessons in it that are about something else: a distraction. */
  besides: number;
  /** Tokens of an iteration besides what memory adds. */
  iterationTokens: number;
}

/** A lesson that is right helps as much as one that is wrong harms. */
export const ASSUMED: Assumed = { alone: 0.5, right: 0.9, wrong: 0.1, besides: 0.45, iterationTokens: 6000 };

/** What the model makes of a prompt: it believes what it reads, and cannot tell right from wrong. */
export function chanceOf(cause: Cause, quoted: string, assumed: Assumed): number {
  if (quoted === "") return assumed.alone;
  const read = [
    ...Array.from({ length: occurrences(quoted, cause.right) }, () => assumed.right),
    ...Array.from({ length: occurrences(quoted, cause.wrong) }, () => assumed.wrong),
  ];
  if (read.length === 0) return assumed.besides;
  return read.reduce((sum, chance) => sum + chance, 0) / read.length;
}

const occurrences = (text: string, part: string): number => text.split(part).length - 1;
