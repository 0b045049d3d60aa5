import type { Run } from "./run.ts";

/** A phase of the task as a whole, outside of a todo's loop. */
export const enterPhase = (run: Run, phase: string): Promise<void> =>
  run.note({ kind: "checkpoint", name: "phase", input: { phase } }, { type: "phase-changed", phase, iteration: 0 });
