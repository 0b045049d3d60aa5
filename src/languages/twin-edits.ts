import type { Replacement } from "../syntax/nodes.ts";

/** Edits that turn a test round: where it would pass, it fails with a word of ours in its message. */
export interface TwinEdits {
  edits: Replacement[];
  /** What must stand at the end of the file for it. */
  after: string;
  /** `assertion`: one assertion claims the opposite. `body`: whatever the test does, it fails if it comes to its end. */
  turned: "assertion" | "body";
}

/** An assertion turned round. */
export interface TurnedAssertion {
  replacement: Replacement;
  /** Runs whenever the test does: not within a loop, a condition or a function of its own, nor behind a return. */
  always: boolean;
}

/** The first assertion that surely runs; null where none does. */
export function turnOne(candidates: TurnedAssertion[]): TwinEdits | null {
  const chosen = candidates.find((one) => one.always);
  return chosen ? { edits: [chosen.replacement], after: "", turned: "assertion" } : null;
}
