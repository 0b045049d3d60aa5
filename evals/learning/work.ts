import { effectOf, type Use } from "../../src/memory/effect/effect.ts";
import { NOTHING_USUAL, type Usual, usualOf } from "../../src/memory/effect/usual.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { recall } from "../../src/memory/recall.ts";
import { draw } from "./draw.ts";
import { type Assumed, chanceOf } from "./simulated-model.ts";
import type { Cause, Mistake, Stream } from "./stream.ts";

/** What the simulation needs of a memory. */
export type Asked = Pick<Memory, "find" | "keep" | "setStatus">;

export interface Arm {
  /** Null: no memory at all. */
  memory: Asked | null;
  /** Keeps what each task taught. */
  learns: boolean;
  /** Holds back controls, and acts on what they show. */
  measures: boolean;
  assumed: Assumed;
}

/** What one task took. */
export interface Worked {
  iterations: number;
  tokens: number;
  /** Iterations that the mistakes of poisoned causes took. */
  onPoisoned: number;
}

export interface Outcome {
  tasks: Worked[];
  uses: Use[];
  /** The task after which each record was taken out of use. */
  removed: Map<string, number>;
}

const CONTROL = 0.1;
const MOST_TOKENS = 400;
const MOST_ATTEMPTS = 10;

/** Works through a stream, one task after the other, with the product's own search, recall, quotation and effect measure. */
export async function work(stream: Stream, arm: Arm): Promise<Outcome> {
  const causes = new Map(stream.causes.map((cause) => [cause.name, cause]));
  const outcome: Outcome = { tasks: [], uses: [], removed: new Map() };
  for (const [number, mistakes] of stream.tasks.entries()) {
    const task = `${stream.seed}-${number}`;
    // The first iteration makes the mistakes.
    const usual = arm.measures ? usualOf(outcome.uses) : NOTHING_USUAL;
    const worked: Worked = { iterations: 1, tokens: arm.assumed.iterationTokens, onPoisoned: 0 };
    for (const mistake of mistakes) {
      const cause = causes.get(mistake.cause);
      if (!cause) throw new Error(`no cause ${mistake.cause}`);
      const taken = await mend(task, mistake, cause, arm, outcome.uses, usual);
      worked.iterations += taken.iterations;
      worked.tokens += taken.tokens;
      if (cause.isPoisoned) worked.onPoisoned += taken.iterations;
      if (arm.memory && arm.learns) await arm.memory.keep([lessonOf(mistake.error, cause.right, task)]);
    }
    outcome.tasks.push(worked);
    if (arm.memory && arm.measures) await retire(arm.memory, task, number, outcome);
  }
  return outcome;
}

/** Iterations until a mistake is gone; memory is asked before each. */
async function mend(
  task: string,
  { cause: name, error }: Mistake,
  cause: Cause,
  { memory, measures, assumed }: Arm,
  uses: Use[],
  usual: Usual,
): Promise<{ iterations: number; tokens: number }> {
  let tokens = 0;
  for (let attempt = 1; ; attempt += 1) {
    const told =
      memory &&
      (await recall(
        memory,
        { cause: "error", errors: [error.error] },
        {
          task,
          audience: { project: "", language: error.language },
          control: measures ? CONTROL : 0,
          tokens: MOST_TOKENS,
          usual,
          usesOf: async (ids) => uses.filter((use) => ids.includes(use.record) && (measures || use.task === task)),
        },
      ));
    tokens += assumed.iterationTokens + (told?.tokens ?? 0);
    const won = draw(task, name, attempt) < chanceOf(cause, told?.text ?? "", assumed);
    const use = (shown: boolean) => (size: { id: string; tokens: number }) =>
      uses.push({ record: size.id, task, iteration: attempt, shown, won, tokens: size.tokens, at: uses.length });
    told?.shown.forEach(use(true));
    told?.heldBack.forEach(use(false));
    if (won || attempt === MOST_ATTEMPTS) return { iterations: attempt, tokens };
  }
}

export const lessonOf = ({ error, language }: Mistake["error"], reason: string, task = "") =>
  ({ task, scope: "global", language, error, reason }) as const;

async function retire(memory: Asked, task: string, number: number, outcome: Outcome): Promise<void> {
  const used = new Set(outcome.uses.filter((use) => use.task === task).map((use) => use.record));
  for (const record of used) {
    const { status } = effectOf(outcome.uses.filter((use) => use.record === record));
    if (status === "active" || outcome.removed.has(record)) continue;
    outcome.removed.set(record, number);
    await memory.setStatus(record, status);
  }
}
