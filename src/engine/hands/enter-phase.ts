import type { Run } from "./run.ts";

/** Enters a phase of the whole task, outside of a todo's loop. */
export const enterPhase = (run: Run, phase: string): Promise<void> =>
  run.note({ kind: "checkpoint", name: "phase", input: { phase } }, { type: "phase-changed", phase, iteration: 0 });
