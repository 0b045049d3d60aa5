import type { Scope } from "./scope.ts";

/** What an expansion needs to know besides the word. */
export interface Surroundings {
  scope: Scope;
  /** Where the command may run; `$PWD`. */
  directories: string[];
  /** Range in the judged line that the positions of this script stand for; undefined: they are the line's own. */
  within: { from: number; to: number } | undefined;
  /** Variables that are being resolved, against circles. */
  resolving: ReadonlySet<string>;
  /** Counts work: variables that hold variables twice double it each time. */
  step(count?: number): void;
}
