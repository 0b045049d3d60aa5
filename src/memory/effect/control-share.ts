import type { Effect } from "./effect.ts";

/** Of this many that saw it … */
const FEWEST_SHOWN = 3;
/** … a record that is under suspicion is held back from this share. */
const SUSPECTED_SHARE = 0.5;

/**
 * From which share of tasks a record is held back. The usual one; but half, while it looks as if it did harm: then what it
 * does is known soonest, and it does less of it meanwhile. Which tasks these are is still drawn, so that the two stay
 * comparable. A share of 0 asks for no controls at all.
 */
export function controlShare(effect: Effect, usual: number): number {
  return usual > 0 && isSuspected(effect) ? Math.max(usual, SUSPECTED_SHARE) : usual;
}

/** Less than half were won with it, and nothing shows that it was fewer without. */
function isSuspected({ shown, interval, uplift, status }: Effect): boolean {
  if (status !== "active" || shown.tries < FEWEST_SHOWN || interval.low > 0) return false;
  return uplift <= 0 && shown.wins * 2 < shown.tries;
}
