import type { Replacement } from "../syntax/nodes.ts";

/** Edits that rename a test, and those that turn one of its assertions round as well. */
export interface TwinEdits {
  rename: Replacement[];
  /** Null when the test has no assertion that we know how to turn round. */
  invert: Replacement[] | null;
}

/** An assertion turned round. */
export interface TurnedAssertion {
  replacement: Replacement;
  /** Runs whenever the test does: not within a loop, a condition or a function of its own. */
  always: boolean;
}

/** The first assertion that surely runs, or else the first. */
export function turnOne(rename: Replacement[], candidates: TurnedAssertion[]): TwinEdits {
  const chosen = candidates.find((one) => one.always) ?? candidates[0];
  return { rename, invert: chosen ? [...rename, chosen.replacement] : null };
}
