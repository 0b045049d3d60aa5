import type { ArmName, ArmOutcome } from "./arms.ts";
import type { Worked } from "./work.ts";

/** The outcomes of each arm, one for each seed. */
export type Outcomes = Record<ArmName, ArmOutcome[]>;

export const BLOCK = 25;

/** The mean of something over all seeds, for each block of tasks. */
export function byBlock(outcomes: readonly ArmOutcome[], of: (task: Worked) => number): number[] {
  const tasks = outcomes[0]?.tasks.length ?? 0;
  return Array.from({ length: Math.ceil(tasks / BLOCK) }, (_, block) =>
    mean(outcomes.flatMap((outcome) => outcome.tasks.slice(block * BLOCK, (block + 1) * BLOCK).map(of))),
  );
}

/** For each task the mean over all seeds and over the tasks before it, as many as a window holds. */
export function smoothed(outcomes: readonly ArmOutcome[], of: (task: Worked) => number, window: number): number[] {
  const tasks = outcomes[0]?.tasks.length ?? 0;
  return Array.from({ length: tasks }, (_, at) =>
    mean(outcomes.flatMap((outcome) => outcome.tasks.slice(Math.max(0, at + 1 - window), at + 1).map(of))),
  );
}

/** Iterations that wrong lessons cost beyond what their causes take without any memory. */
export function harm(outcomes: Outcomes, arm: ArmName): number[] {
  const without = byBlock(outcomes["no memory"], ({ onPoisoned }) => onPoisoned);
  return byBlock(outcomes[arm], ({ onPoisoned }) => onPoisoned).map((value, block) => value - (without[block] ?? 0));
}

/** The first tasks, in which the harm is to be found out. */
export const FOUND_OUT = 50;

/** What tasks take after those, in each stream: the mean of each arm. */
export function late(outcomes: Outcomes, of: (task: Worked) => number): Record<ArmName, number>[] {
  return outcomes["no memory"].map((_, stream) => {
    const at = (arm: ArmName) => mean((outcomes[arm][stream]?.tasks ?? []).slice(FOUND_OUT).map(of));
    return {
      "no memory": at("no memory"),
      memory: at("memory"),
      clean: at("clean"),
      poisoned: at("poisoned"),
      "poisoned, unmeasured": at("poisoned, unmeasured"),
    };
  });
}

/** Of the wrong lessons and of all others: how many, and how many were taken out of use. */
export function removed(outcomes: readonly ArmOutcome[]): { wrong: [number, number]; others: [number, number] } {
  const counts = { wrong: [0, 0] as [number, number], others: [0, 0] as [number, number] };
  for (const { wrong, removed: gone, uses } of outcomes) {
    for (const record of new Set(uses.map((use) => use.record))) {
      const count = wrong.has(record) ? counts.wrong : counts.others;
      count[1] += 1;
      if (gone.has(record)) count[0] += 1;
    }
  }
  return counts;
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
